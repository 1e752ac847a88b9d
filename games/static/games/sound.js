// Sound, in pages of those who have switched it on: two notes when my turn comes, a soft tick when a card is played.
// Made here, without a file; silent until the page has been touched (browsers ask for that) and in hidden tabs.
(() => {
  "use strict";
  const seen = () => ({ ...document.getElementById("board").dataset });
  let audio = null, was = seen();

  const wake = () => { audio = audio || new AudioContext(); };
  document.addEventListener("pointerdown", wake, { once: true });
  document.addEventListener("keydown", wake, { once: true });

  const note = (pitch, after, loud) => {
    const tone = audio.createOscillator(), volume = audio.createGain(), at = audio.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(loud, at);
    volume.gain.exponentialRampToValueAtTime(.0001, at + .25);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + .25);
  };

  document.addEventListener("htmx:afterSettle", () => {
    const now = seen(), played = parseInt(now.version, 10) > parseInt(was.version, 10);
    if (audio && played && !document.hidden) {
      if (now.state === "mine" && was.state !== "mine") [660, 880].forEach((pitch, i) => note(pitch, i * .14, .15));
      else note(240, 0, .06);
    }
    was = now;
  });
})();
