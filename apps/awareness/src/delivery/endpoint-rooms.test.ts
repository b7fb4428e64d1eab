import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptEnd, createEndpointRooms } from "./endpoint-rooms.ts";

function attempt(rooms: ReturnType<typeof createEndpointRooms>, end: AttemptEnd, times = 1): void {
  for (let time = 0; time < times; time += 1) {
    rooms.begin("s");
    rooms.end("s", { end, durationMs: 1_000 });
  }
}

test("each delivery allows one more at once, from 8 up to 64, and a failure takes it back to 8 [E2]", () => {
  const rooms = createEndpointRooms();
  attempt(rooms, "delivered", 3);
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 11, isSlow: false }]]);
  attempt(rooms, undefined);
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 11, isSlow: false }]]);
  attempt(rooms, "delivered", 100);
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 64, isSlow: false }]]);
  rooms.begin("s");
  attempt(rooms, "failed");
  assert.deepEqual([...rooms.known()], [["s", { underWay: 1, most: 8, isSlow: false }]]);
});

test("an endpoint that said more than is read is asked one at a time, until an answer is whole again [E2]", () => {
  const rooms = createEndpointRooms();
  attempt(rooms, "delivered", 3);
  attempt(rooms, "poured", 2);
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 1, isSlow: false }]]);
  attempt(rooms, "failed");
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 1, isSlow: false }]]);
  attempt(rooms, "delivered", 2);
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 3, isSlow: false }]]);
});

test("an endpoint that takes longer than a second is slow and gets 8 at once at most, until it is quick again [V25]", () => {
  const rooms = createEndpointRooms();
  attempt(rooms, "delivered", 3);
  rooms.begin("s");
  rooms.end("s", { end: "delivered", durationMs: 1_001 });
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 8, isSlow: true }]]);
  attempt(rooms, "delivered");
  assert.deepEqual([...rooms.known()], [["s", { underWay: 0, most: 9, isSlow: false }]]);
});

test("of subscriptions without anything in flight a thousand are remembered", () => {
  const rooms = createEndpointRooms();
  for (let id = 0; id < 3_000; id += 1) {
    rooms.begin(String(id));
    rooms.end(String(id), { end: "failed", durationMs: 5_000 });
  }
  assert.equal([...rooms.known()].length, 1_000);
});

test("of a subscription with nothing under way and nothing learnt nothing is kept", () => {
  const rooms = createEndpointRooms();
  rooms.begin("s");
  assert.deepEqual([...rooms.known()], [["s", { underWay: 1, most: 8, isSlow: false }]]);
  rooms.end("s", { end: undefined, durationMs: 0 });
  attempt(rooms, "delivered");
  attempt(rooms, "failed");
  assert.deepEqual([...rooms.known()], []);
});

test("more may be due where a claim took as many as there was room for when it began, whatever ended meanwhile", () => {
  const rooms = createEndpointRooms();
  const claim = (ids: readonly string[]) => rooms.claim()(ids);
  claim(Array(7).fill("s"));
  assert.equal(rooms.mayLackRoom("s"), false);
  for (let begun = 0; begun < 7; begun += 1) rooms.begin("s");
  const claimed = rooms.claim();
  rooms.end("s", { end: "delivered", durationMs: 1 });
  claimed(["s"]);
  assert.equal(rooms.mayLackRoom("s"), true);
  claim(["other"]);
  assert.equal(rooms.mayLackRoom("s"), false);
  for (let begun = 0; begun < 3; begun += 1) rooms.begin("s");
  claim([]);
  assert.equal(rooms.mayLackRoom("s"), true);
});
