"""Run by test_environments.py in an environment with verifiers: a model that always answers `Hold` is rewarded."""

import asyncio
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import verifiers.v1 as vf

from dicebase.environments import solved_game
from dicebase.environments.verifiers_taskset import answered, rewarded
from dicebase_positions import load_environment

RESULTS = sys.argv[1]
env = load_environment(table="pig_turn", results=RESULTS, sides=6, count=3)
tasks = [*env.taskset]
game = solved_game("pig_turn", RESULTS, sides=6)
assert [task.data.position for task in tasks] == game.sample(3)
assert tasks[0].data.answers == ["hold", "roll"] and "- turn_total (points of this turn): 9" in tasks[0].data.prompt

assert answered("I roll.\nanswer: hold\nAnswer: **Roll**.", ["roll", "hold"]) == "roll"
assert answered("HOLD", ["roll", "hold"]) == "hold" and answered("Answer: fold", ["roll", "hold"]) is None
assert [rewarded(game, "25", reply) for reply in ("hold", "roll", "fold")] == [1.0, 0.0, 0.0]
assert rewarded(game, "20", "roll") == rewarded(game, "20", "hold") == 1.0
three = solved_game("shut_the_box_win", RESULTS)
place = max(range(len(three.names) - 1), key=lambda s: len(three.legal(s)))
k = three.first[place] + 1
worst = three.regrets[three.first[place] : three.first[place + 1]].max()
expected = 1 - three.regrets[k] / worst
assert rewarded(three, three.names[place], f"Answer: {three.actions[three.number[k]]}") == expected


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
        said = {"role": "assistant", "content": "Thinking.\nAnswer: Hold"}
        chunks = [
            chunk | {"choices": [{"index": 0, "delta": said, "finish_reason": None}]},
            chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ]
        sent = "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(sent.encode())
        self.close_connection = True

    def log_message(self, *_):
        pass


async def play(address):
    client = vf.EvalClientConfig(base_url=address, api_key_var="STUB_KEY")
    async with env.serving():
        episodes = [await env.run_episode(task, vf.ModelContext(model="stub", client=client)) for task in tasks[:2]]
    for task, episode in zip(tasks, episodes, strict=False):
        (trace,) = episode.traces
        assert episode.ok, (episode.errors, trace.errors)
        assert trace.rewards["optimality"].score == rewarded(game, task.data.position, "hold")
        assert trace.metrics["regret"] == game.regret(task.data.position, "hold")


os.environ["STUB_KEY"] = "none"
server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
asyncio.run(play(f"http://127.0.0.1:{server.server_port}/v1"))
server.shutdown()
