// Checks a match by sums.js and says line by line what was compared, in the words of the page.
(() => {
  const place = document.getElementById("proof");
  const words = JSON.parse(place.dataset.words);
  const told = document.getElementById("told");
  const shown = document.getElementById("checks");
  const say = (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (all, key) => (key in values ? values[key] : all));

  function show(groups) {
    const lines = groups.flatMap((group) => group.lines);
    const bad = lines.filter((line) => !line.ok).length;
    shown.replaceChildren(...groups.map(({ title, lines: some }) => {
      const box = document.createElement("details");
      const fails = some.filter((line) => !line.ok).length;
      box.open = fails > 0 || groups.length < 3;
      box.className = fails ? "bad" : "ok";
      const head = box.appendChild(document.createElement("summary"));
      head.append(`${fails ? "✗" : "✓"} ${title}`, Object.assign(document.createElement("span"), { textContent: `${some.length - fails} / ${some.length}` }));
      const list = box.appendChild(document.createElement("ul"));
      for (const { ok, text } of some) {
        const line = list.appendChild(document.createElement("li"));
        line.className = ok ? "ok" : "bad";
        line.append(text, Object.assign(document.createElement("b"), { textContent: `${ok ? "✓" : "✗"} ${say(ok ? "holds" : "fails")}` }));
      }
      return box;
    }));
    told.className = bad ? "verdict bad" : "verdict ok";
    told.textContent = say(bad ? "bad" : "well", { n: lines.length, bad });
  }

  async function check(match) {
    const groups = [{ title: say("match"), lines: [] }];
    const note = (name, ok, values) => groups.at(-1).lines.push({ ok, text: say(name, values) });
    await sums.ofTheMatch(match, note);
    for (const [i, deal] of match.deals.entries()) {
      groups.push({ title: say("deal", { deal: deal.deal }), lines: [] });
      await sums.ofADeal(match, deal, i ? match.deals[i - 1].secret : match.commitment, note);
    }
    show(groups);
    if (!match.deals.length) told.textContent = say("none");
  }

  function refuse(why) {
    shown.replaceChildren();
    told.className = "verdict bad";
    told.textContent = say(why);
  }

  async function run(text) {
    try {
      await check(JSON.parse(text));
    } catch {
      refuse("unread");
    }
  }

  async function load(number) {
    told.className = "verdict";
    told.textContent = say("working");
    const answer = await fetch(place.dataset.url.replace("/0/", `/${number}/`)).catch(() => null);
    if (answer && answer.ok) await run(await answer.text());
    else refuse(answer ? "away" : "offline");
  }

  if (!window.crypto || !crypto.subtle) return refuse("insecure");
  const [by, paste] = [document.getElementById("by"), document.getElementById("paste")];
  paste.hidden = false;
  by.addEventListener("submit", (event) => {
    event.preventDefault();
    load(parseInt(by.elements.match.value, 10) || 0);
  });
  paste.addEventListener("submit", (event) => {
    event.preventDefault();
    run(paste.elements.text.value);
  });
  if (place.dataset.number) load(place.dataset.number);
})();
