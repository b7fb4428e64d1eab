// Keeps the login page up to date: continues when the wallet has signed, counts down, and looks again when the page comes back.
const card = document.getElementById("login");
const POLL_MS = 2000;
const HINT_MS = 2500;

if (card) start(card);

/** @param {HTMLElement} card */
function start(card) {
  const { state, next = "", events = "", seconds = "0" } = card.dataset;
  if (state === "signed") location.replace(next);
  const isWaiting = state === "pending" || state === "checking";
  let failures = 0;
  /** @type {EventSource | undefined} */
  let source;
  const look = () => {
    const request = new XMLHttpRequest();
    request.open("GET", `${next}/state`);
    request.responseType = "json";
    // Without a network nothing is answered; the next look is soon.
    request.onload = () => {
      const { state: now = "over" } = request.response ?? {};
      if (now === "signed" || (now !== "pending" && now !== "checking" && isWaiting)) location.replace(next);
    };
    request.send();
  };
  const listen = () => {
    source?.close();
    source = new EventSource(events);
    for (const word of ["signed", "failed", "expired"]) source.addEventListener(word, () => location.replace(next));
    source.addEventListener("pending", () => {
      failures = 0;
    });
    source.onerror = () => {
      failures += 1;
      if (failures < 2) return;
      source?.close();
      source = undefined;
    };
  };
  if (isWaiting) {
    listen();
    setInterval(() => {
      if (source === undefined && !document.hidden) look();
    }, POLL_MS);
    countDown(Number(seconds));
    const wallet = document.getElementById("open-wallet");
    wallet?.addEventListener("click", () => setTimeout(showHint, HINT_MS));
  }
  const back = () => {
    if (!document.hidden) look();
  };
  document.addEventListener("visibilitychange", back);
  addEventListener("pageshow", (event) => event.persisted && look());
  addEventListener("online", back);
}

function showHint() {
  const hint = document.getElementById("nothing");
  if (hint && !document.hidden) hint.hidden = false;
}

/** @param {number} seconds */
function countDown(seconds) {
  const place = document.getElementById("time");
  const endsAt = Date.now() + seconds * 1000;
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (place) place.textContent = (place.dataset.text ?? "").replace("{time}", clock);
    if (left === 0) clearInterval(timer);
  }, 1000);
}
