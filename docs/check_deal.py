import hashlib, hmac, json, struct, sys
FACES = [r + s for s in "CDHS" for r in "A23456789TJQK"] + [f"{c}{k}" for c in "RBGY" for k in range(1, 13)]
CARDS = [f + (k > 1) * f"#{k}" for fs in (FACES, ["XX"], ["W"], ["SKIP"]) for k in range(1, 17) for f in fs]
def order(secret, cuts, deal, n, pool):  # what the record must tell of permutation n
    text, key, cards = f"rummysite-order-v1|{deal}|{n}|{len(pool)}|{'-'.join(cuts)}|", bytes.fromhex(secret), list(pool)
    words = (w for b in range(2**32) for w in struct.unpack(">8I", hmac.digest(key, f"{text}{b}".encode(), "sha256")))
    for m in range(len(cards), 1, -1):  # j: the next word that is not thrown away, mod m
        cards[m - 1], cards[j] = cards[(j := next(w for w in words if w < 2**32 // m * m) % m)], cards[m - 1]
    return {"n": n, "size": len(pool), "cards": cards, "pool": pool}
def check(record):  # what is wrong; an empty list if all is well
    ok, cuts, deals, first = {}, record["cuts"], record["deals"], record.get("first_dealer")
    for at, (deal, before) in enumerate(zip(deals, [record["commitment"], *(d["secret"] for d in deals)]), 1):
        ok[f"place {at}: not deal {at}, or no pack"] = deal["deal"] == at and deal["orders"]
        ok[f"deal {at}: wrong secret"] = hashlib.sha256(bytes.fromhex(deal["secret"])).hexdigest() == before
        ok.setdefault("wrong dealer", first in (None, order(deal["secret"], cuts, 0, 0, range(len(cuts)))["cards"][0]))
        for n, told in enumerate(deal["orders"]):
            pool = [c for c in (deal["orders"][0]["pool"] if n else CARDS) if c in told["pool"]]
            ok[f"deal {at}, order {n}: wrong cards"] = told == order(deal["secret"], cuts, deal["deal"], n, pool)
    return [finding for finding, holds in ok.items() if not holds]
if __name__ == "__main__": print("\n".join(check(json.load(open(sys.argv[1])))) or "All is well.")
