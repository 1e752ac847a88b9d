"""A mail server of a few lines, in a thread, that can behave badly."""

import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class _Talk(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        server = self.server
        server.calls += 1
        if server.mood == "shut":
            return
        if server.mood == "hang":
            server.let_go.wait(20)
            return
        self.say("220 test")
        while line := self.rfile.readline():
            verb = line[:4].upper().decode()
            if verb == "QUIT":
                return self.say("221 bye")
            if verb == "RCPT" and server.mood.isdecimal():
                self.say(f"{server.mood} no")
            elif verb == "DATA":
                self.say("354 go on")
                letter = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    letter += part
                server.letters.append(message_from_bytes(letter, policy=policy.default))
                if server.mood == "drop":
                    server.unsaid += 1
                    return None  # it has the letter and never says so
                self.say("250 taken")
            else:
                self.say("250 ok")


class Server(socketserver.ThreadingTCPServer):
    """``mood``: "" takes letters, "shut" hangs up at once, "hang" never greets, "drop" hangs up after a letter, a
    number refuses the reader. ``unsaid``: letters that it has and never said so.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Talk)
        self.mood, self.letters, self.calls, self.unsaid = "", list[EmailMessage](), 0, 0
        self.let_go = threading.Event()


@contextmanager
def mail_server(settings, timeout=5):
    """A server that takes the site's letters."""
    server = Server()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    options = {"host": "127.0.0.1", "port": server.server_address[1], "timeout": timeout}
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": options}}
    try:
        yield server
    finally:
        server.let_go.set()
        server.shutdown()
        server.server_close()
