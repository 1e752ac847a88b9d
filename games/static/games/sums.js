// The sums of docs/fairness.md, done in the reader's browser. Shares nothing with the site's own code.
// What was compared goes to note(name, holds, values); the words for it are those of the page.
const sums = (() => {
  const FACES = [..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  const PHASES = [..."RBGY"].flatMap((colour) => Array.from({ length: 12 }, (_, k) => `${colour}${k + 1}`));
  const COPIES = Array.from({ length: 16 }, (_, k) => (k ? `#${k + 1}` : ""));
  const CARDS = [[...FACES, ...PHASES], ["XX"], ["W"], ["SKIP"]].flatMap((faces) => COPIES.flatMap((copy) => faces.map((face) => face + copy)));
  const same = (some, others) => some.length === others.length && some.every((one, i) => one === others[i]);
  const begins = (some) => (some.length ? some.slice(0, 5).join(" ") : "-");
  const brief = (text) => (text ? `${String(text).slice(0, 12)} …` : "-");

  const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (two) => parseInt(two, 16));
  const sha = async (hex) => {
    const hash = await crypto.subtle.digest("SHA-256", bytes(hex));
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  // Permutation n of a deal: Fisher and Yates with words of HMAC blocks; words that would favour a place are left out.
  async function ordered(secret, cuts, deal, n, pool) {
    const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const cards = [...pool];
    let block = 0;
    let left = [];
    const next = async () => {
      if (!left.length) {
        const text = `rummysite-order-v1|${deal}|${n}|${pool.length}|${cuts.join("-")}|${block++}`;
        const view = new DataView(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
        left = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => view.getUint32(at));
      }
      return left.shift();
    };
    for (let m = cards.length; m > 1; m--) {
      let word = await next();
      while (word >= Math.floor(2 ** 32 / m) * m) word = await next();
      const j = word % m;
      [cards[m - 1], cards[j]] = [cards[j], cards[m - 1]];
    }
    return cards;
  }

  async function ofTheMatch(match, note) {
    const numbers = match.deals.map((deal) => deal.deal);
    if (match.running) numbers.push(match.running);
    note("numbers", numbers.every((number, i) => number === i + 1), { n: numbers.length, found: numbers.join(", ") || "-" });
    if (!["open", "cancelled"].includes(match.status)) {
      for (const [seat, cut] of match.cuts.entries()) {
        const said = (match.cut_hashes || [])[seat];
        const got = cut ? await sha(cut) : "";
        note(cut ? "cut" : "nocut", got === said, { seat: seat + 1, cut: brief(cut), got: brief(got), said: brief(said) });
      }
    }
    if (match.deals.length && match.first_dealer !== undefined) {
      const seats = match.cuts.map((_, seat) => seat);
      const got = (await ordered(match.deals[0].secret, match.cuts, 0, 0, seats))[0];
      const ok = got === match.first_dealer && got === match.deals[0].dealer;
      note("first", ok, { got: got + 1, first: match.first_dealer + 1, said: match.deals[0].dealer + 1 });
    }
  }

  async function ofADeal(match, deal, before, note) {
    const got = await sha(deal.secret);
    note("link", got === before, { got: brief(got), said: brief(before) });
    for (const [n, one] of deal.orders.entries()) {
      const cards = await ordered(deal.secret, match.cuts, deal.deal, n, one.pool);
      const ok = same(cards, one.cards) && one.n === n && one.size === one.pool.length;
      note(n ? "again" : "pack", ok, { order: n, got: begins(cards), said: begins(one.cards) });
    }
    const pack = deal.orders.length ? deal.orders[0] : { pool: [], cards: [] };
    const whole = pack.pool.length > 0 && same(pack.pool, CARDS.filter((card) => pack.pool.includes(card)));
    note("pool", whole, { n: pack.pool.length });
    dealt(match, deal, pack, note);
  }

  // Hands and stock as the steps of the deal tell them: dealt from the left of the dealer, drawn from the top.
  function dealt(match, deal, pack, note) {
    const seats = match.cuts.length;
    const size = deal.hands[0].length;
    const one = (seat) => pack.cards.slice(0, seats * size).filter((_, i) => (deal.dealer + 1 + i) % seats === seat);
    const wrong = deal.hands.findIndex((hand, seat) => !same(hand, one(seat)));
    const seen = Math.max(wrong, 0);
    note("hands", wrong < 0 && deal.hands.length === seats, { n: size, seat: seen + 1, said: begins(deal.hands[seen]) });
    let stock = pack.cards.slice(seats * size + 1);
    let pile = pack.cards.slice(seats * size, seats * size + 1);
    let [drawn, shuffled, ok] = [0, 0, true];
    for (const event of deal.steps.flatMap((step) => step.events || [])) {
      if (event.kind === "drew") {
        ok = stock.shift() === event.own && ok;
        drawn += 1;
      } else if (event.kind === "took") ok = pile.pop() === event.cards[0] && ok;
      else if (event.kind === "discarded") pile.push(event.cards[0]);
      else if (event.kind === "shuffled" || event.kind === "turned_over") {
        const kept = match.options.recycle_keep_top === false ? [] : pile.slice(-1);
        const back = pile.slice(0, pile.length - kept.length);
        stock = back;
        if (event.kind === "shuffled") {
          const { pool, cards } = deal.orders[++shuffled] || { pool: [], cards: [] };
          const fits = same(pool, pack.pool.filter((card) => back.includes(card)));
          note("back", fits, { order: shuffled, n: pool.length, got: back.length });
          stock = [...cards];
        }
        pile = kept;
      }
    }
    note("shuffles", shuffled === deal.orders.length - 1, { n: deal.orders.length - 1, got: shuffled });
    note("draws", ok && same(stock, deal.left.stock), { n: drawn, left: stock.length });
  }

  return { ofTheMatch, ofADeal };
})();
