/**
 * Three processes of one server behind a balancer, one of which is killed every few seconds while a client counts. Runs
 * for 10 seconds, or for as many as you say: `node examples/cluster/main.ts 60`. With `CLUSTER`, the address of a Redis
 * or PostgreSQL, no engine is started.
 */
import { balance } from './balancer.ts'
import { count } from './client.ts'
import { startEngine } from './engine.ts'
import { startProcesses } from './processes.ts'

const seconds = Number(process.argv[2] ?? 10)
await using parts = new AsyncDisposableStack()
const engine = await startEngine()
parts.defer(engine.stop)
const processes = await startProcesses(3, engine.address)
parts.defer(processes.close)
const balancer = await balance(processes.addresses)
parts.defer(balancer.close)
console.log(`${engine.name}, three processes, and a balancer at ${balancer.url}`)

const start = performance.now()
const say = (what: string) => console.log(`${Math.round((performance.now() - start) / 1_000)} s`.padStart(5), what)
const killing = setInterval(() => {
  const killed = processes.kill()
  if (killed !== undefined) say(`killed process ${killed}`)
}, 3_000)
parts.defer(() => clearInterval(killing))

const { number, unknown, longestMs } = await count(balancer.url, seconds * 1_000)
say(`counted to ${number} in one session; the longest step took ${Math.round(longestMs)} ms`)
say(`${unknown} calls were in a process that was killed: the client was told so, and asked again`)
say('lost: 0 answers, 0 sessions')
