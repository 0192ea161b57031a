/** Runs processes of a server under faults, and fails when the checker finds something. */
import { createWriteStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { type EngineName, engineNames } from './engines.ts'
import { runChaos } from './run.ts'

const help = `Usage: npm run chaos -- [options]

Three processes of one server, a balancer that sends every request to another one, clients, and faults.
  --minutes N      how long it runs, 1
  --random SEED    the same seed makes the same faults, 7
  --engine NAME    ${engineNames.join(' or ')}, postgres
  --pause-ms N     how long a client waits between two calls, 20
  --answer-seconds how long an accepted call may take, 10; a busy machine needs more
  --history FILE   writes down what happened, an entry a line
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    random: { type: 'string', default: '7' },
    engine: { type: 'string', default: 'postgres' },
    'pause-ms': { type: 'string', default: '20' },
    'answer-seconds': { type: 'string', default: '10' },
    history: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const engine = engineNames.find((name) => name === values.engine)
const [minutes, seed] = [Number(values.minutes), Number(values.random)]
const answerMs = Number(values['answer-seconds']) * 1_000
const pauseMs = Number(values['pause-ms'])
if (values.help) process.stdout.write(help)
else if (engine === undefined || !(minutes > 0) || !(answerMs > 0) || !(pauseMs >= 0) || !Number.isInteger(seed)) fail()
else await run(engine)

function fail(): void {
  process.stderr.write(help)
  process.exitCode = 2
}

async function run(name: EngineName): Promise<void> {
  const started = performance.now()
  const onFault = (fault: string): void => {
    const seconds = Math.round((performance.now() - started) / 1_000)
    process.stdout.write(`${seconds} s: ${fault}\n`)
  }
  const file = values.history === undefined ? undefined : createWriteStream(values.history)
  const onEntry = (entry: object): void => void file?.write(`${JSON.stringify(entry)}\n`)
  const { problems, ...figures } = await runChaos({
    engine: name,
    seconds: minutes * 60,
    seed,
    answerMs,
    pauseMs,
    onFault,
    onEntry,
  })
  file?.end()
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`)
  for (const problem of problems.slice(0, 50)) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${problems.length} problems\n`)
  if (problems.length > 0) process.exitCode = 1
}
