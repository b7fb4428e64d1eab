// Keeps the login page up to date: continues when the wallet has signed, counts down, and looks again when the page comes back.
const card = document.getElementById("login");
const POLL_MS = 2000;
const LONGEST_PAUSE_MS = 30000;
const TIMEOUT_MS = 10000;
const HINT_MS = 2500;
const SLOW_MS = 2000;
const SOON_SECONDS = 15;
const LOST = 2;

if (card) start(card);

/** @param {HTMLElement} card */
function start({ dataset }) {
  const { state, next = "", events = "", seconds = "0" } = dataset;
  const isWaiting = state === "pending" || state === "checking";
  let failures = 0;
  let isLooking = false;
  let unanswered = 0;
  let nextLookAt = 0;
  let isOver = false;
  /** @type {EventSource | undefined} */
  let source;

  /** @param {string} now */
  const follow = (now) => {
    if (isOver || now === state || (isWaiting && (now === "pending" || now === "checking"))) return;
    // A login that waits for its confirmation is signed already.
    if (now === "signed" && state === "confirm") return;
    isOver = true;
    source?.close();
    if (now === "signed") showDone();
    location.replace(next);
  };
  const look = () => {
    if (isLooking) return;
    isLooking = true;
    const request = new XMLHttpRequest();
    request.open("GET", `${next}/state`);
    request.responseType = "json";
    request.timeout = TIMEOUT_MS;
    // Without a network, and while a proxy or the service has no answer, the login may still be alive: look again, less often.
    request.onloadend = () => {
      isLooking = false;
      const now = request.status === 200 ? request.response?.state : undefined;
      unanswered = now === undefined ? unanswered + 1 : 0;
      nextLookAt = Date.now() + Math.min(LONGEST_PAUSE_MS, unanswered * POLL_MS);
      if (now !== undefined) follow(now);
    };
    request.send();
  };
  const listen = () => {
    source?.close();
    source = undefined;
    if (!isWaiting || isOver || failures >= LOST) return;
    const opened = new EventSource(events);
    for (const word of ["signed", "failed", "expired"]) opened.addEventListener(word, () => follow(word));
    opened.addEventListener("pending", () => {
      failures = 0;
    });
    opened.onerror = () => {
      failures += opened.readyState === EventSource.CLOSED ? LOST : 1;
      if (failures < LOST) return;
      opened.close();
      source = undefined;
    };
    source = opened;
  };
  // A hidden page holds no stream: a browser has few connections to one site.
  const wake = () => {
    if (document.hidden) {
      source?.close();
      source = undefined;
      return;
    }
    failures = 0;
    nextLookAt = 0;
    look();
    listen();
  };
  document.addEventListener("visibilitychange", wake);
  // A form of this page leads on by itself: the event that it causes must not stop the browser on its way.
  document.addEventListener("submit", () => {
    isOver = true;
    source?.close();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isOver = false;
    wake();
  });
  addEventListener("online", wake);
  if (!isWaiting) return;
  listen();
  setInterval(() => {
    if (source === undefined && !document.hidden && Date.now() >= nextLookAt) look();
  }, POLL_MS);
  countDown(Number(seconds));
  document.getElementById("open-wallet")?.addEventListener("click", () => setTimeout(showHint, HINT_MS));
}

// The code disappears at once; the link is for whoever's browser is slow to leave.
function showDone() {
  const text = document.getElementById("done-text");
  document.getElementById("waiting")?.setAttribute("hidden", "");
  document.getElementById("done")?.removeAttribute("hidden");
  if (text) text.textContent = text.dataset.text ?? "";
  setTimeout(() => document.getElementById("continue")?.removeAttribute("hidden"), SLOW_MS);
}

function showHint() {
  if (!document.hidden) document.getElementById("nothing")?.removeAttribute("hidden");
}

/** @param {number} seconds */
function countDown(seconds) {
  const place = document.getElementById("time");
  const endsAt = Date.now() + seconds * 1000;
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (place) place.textContent = (place.dataset.text ?? "").replace("{time}", clock);
    place?.classList.toggle("soon", left <= SOON_SECONDS);
    if (left === 0) clearInterval(timer);
  }, 1000);
}
