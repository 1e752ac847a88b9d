"""Where push may go, and a connection that cannot be led astray or held open. Endpoints are written by users."""

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
import time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from games.notices import endpoints, wire

from .push_service import push_service

GOOD = [
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://fcm.googleapis.com:443/wp/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc%2b",
    "https://web.push.apple.com/QAbc",
    "https://FCM.googleapis.com/fcm/send/abc",
]
BAD = [
    "http://fcm.googleapis.com/x",
    "ftp://fcm.googleapis.com/x",
    "//fcm.googleapis.com/x",
    "https://example.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilfcm.googleapis.com/x",
    "https://notify.windows.com/x",
    "https://.notify.windows.com/x",
    "https://x.notify.windows.com.evil.example/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://2130706433/x",
    "https://localhost/x",
    "https://user@fcm.googleapis.com/x",
    "https://fcm.googleapis.com@evil.example/x",
    "https://evil.example\\@fcm.googleapis.com/x",
    "https://fcm.googleapis.com\\@evil.example/x",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com:99999/x",
    "https://fcm.googleapis.com:x/x",
    "https://fcm.googleapis.com",
    "https://fcm.googleapis.com/x#y",
    "https://fcm.googleapis.com./x",
    "https://fcm.googleapis.com/x y",
    "https://fcm.googleapis.com/x\r\nHost: evil.example",
    "https://fcm.googleapis.com/" + "x" * 1000,
    "https://ｆcm.googleapis.com/x",
    "",
]
PRIVATE = ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"]
PRIVATE += ["::1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::"]


@pytest.fixture
def service(settings):
    with push_service() as running:
        settings.PUSH_LOCAL = running.where
        yield running


@pytest.mark.parametrize("endpoint", GOOD)
def test_the_push_services_of_browsers_are_written_to(endpoint):
    assert endpoints.place(endpoint).origin.startswith("https://")


@pytest.mark.parametrize("endpoint", [*BAD, "http://127.0.0.1:8000/x"])
def test_nothing_else_is_ever_asked(endpoint):
    with pytest.raises(endpoints.Unfit) as why:
        endpoints.place(endpoint)
    assert "example" not in str(why.value)


def test_the_operator_may_list_more_hosts(settings):
    settings.PUSH_HOSTS = [*settings.PUSH_HOSTS, "push.example.org"]
    assert endpoints.place("https://push.example.org/x").host == "push.example.org"


def names(monkeypatch, *numbers):
    """The name of every host stands for these addresses."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 443)) for number in numbers]
    asked = []
    monkeypatch.setattr(endpoints.socket, "getaddrinfo", lambda host, *_a, **_k: asked.append(host) or found)
    return asked


@pytest.mark.parametrize("number", PRIVATE)
def test_a_listed_name_that_leads_to_a_private_address_is_not_connected_to(monkeypatch, number):
    names(monkeypatch, "142.250.1.1", number)
    monkeypatch.setattr(wire.socket, "create_connection", lambda *_a, **_k: pytest.fail("it was connected to"))
    with pytest.raises(endpoints.Unfit):
        wire.post(endpoints.place(GOOD[0]), b"x", {})


def test_the_name_is_looked_up_once_and_the_very_address_that_was_checked_is_connected_to(monkeypatch):
    asked = names(monkeypatch, "142.250.1.1")
    went = []

    def connect(where, timeout):
        went.append(where)
        raise OSError("far enough")

    monkeypatch.setattr(wire.socket, "create_connection", connect)
    with pytest.raises(OSError, match="far enough"):
        wire.post(endpoints.place(GOOD[0]), b"x", {})
    assert (asked, went) == (["fcm.googleapis.com"], [("142.250.1.1", 443)])


def test_a_message_arrives_with_its_headers(service):
    service.headers["Retry-After"] = "120"
    answer = wire.post(endpoints.place(service.browser().endpoint), b"sealed", {"TTL": "60"})
    path, headers, body = service.got[0]
    assert (path, headers["ttl"], headers["host"], body) == ("/push/one", "60", service.where, b"sealed")
    assert (answer.status, answer.later) == (201, 120)


def test_a_redirect_is_an_answer_and_is_not_followed(service):
    service.answers, service.headers = [307], {"Location": f"http://{service.where}/secret"}
    assert wire.post(endpoints.place(service.browser().endpoint), b"x", {}).status == 307
    assert len(service.got) == 1


def endless(answer):
    answer.send_response(201)
    answer.end_headers()
    with contextlib.suppress(OSError):
        for _chunk in range(100_000):
            answer.wfile.write(b"x" * 4096)


def slow(answer):
    with contextlib.suppress(OSError):
        answer.wfile.write(b"HTTP/1.1 201 Created\r\nX-Slow: ")
        for _sign in range(200):
            answer.wfile.write(b"x")
            answer.wfile.flush()
            time.sleep(0.02)


def hang(answer):
    time.sleep(2)


def test_an_endless_answer_is_left_after_a_little_of_it(service):
    service.behave = endless
    assert wire.post(endpoints.place(service.browser().endpoint), b"x", {}).status == 201


@pytest.mark.parametrize("behave", [slow, hang])
def test_who_takes_too_long_is_hung_up_on(service, monkeypatch, behave):
    service.behave = behave
    monkeypatch.setattr(wire, "PATIENCE", 0.15)
    began = time.monotonic()
    with pytest.raises((OSError, wire.http.client.HTTPException)):
        wire.post(endpoints.place(service.browser().endpoint), b"x", {})
    assert time.monotonic() - began < 1
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def certificate(path, name):
    """A certificate that signs itself, for one name."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = key.private_bytes(*private) + builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    path.write_bytes(pem)
    return path


@pytest.mark.parametrize(("name", "arrives"), [("fcm.googleapis.com", True), ("evil.example", False)])
def test_the_service_has_to_prove_the_name_that_is_listed(tmp_path, monkeypatch, name, arrives):
    pem = certificate(tmp_path / "pem", name)
    serving, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=pem)
    serving.load_cert_chain(pem)
    listening = socket.create_server(("127.0.0.1", 0))
    got = []

    def serve():
        with contextlib.suppress(OSError), contextlib.closing(listening.accept()[0]) as plain:
            plain.settimeout(2)
            with serving.wrap_socket(plain, server_side=True) as line:
                got.append(b"")
                while not got[0].endswith(b"\r\n\r\nx"):
                    got[0] += line.recv(4000)
                line.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")

    thread = threading.Thread(target=serve)
    thread.start()
    monkeypatch.setattr(wire, "_context", lambda: trusting)
    monkeypatch.setattr(wire.endpoints, "address", lambda _where: "127.0.0.1")
    where = endpoints.Place("fcm.googleapis.com", listening.getsockname()[1], "/x")
    if arrives:
        assert wire.post(where, b"x", {}).status == 201
        assert b"Host: fcm.googleapis.com\r\n" in got[0]
    else:
        with pytest.raises(ssl.SSLCertVerificationError):
            wire.post(where, b"x", {})
        assert not got
    thread.join()
    listening.close()


def test_addresses_of_the_public_internet_are_public():
    for number in ("142.250.1.1", "2a00:1450:4001:81b::200a"):
        assert endpoints.is_public(number)
        assert ipaddress.ip_address(number)
    assert not endpoints.is_public("no number")
