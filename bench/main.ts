import { type Arguments, choose, readArguments, usage } from './arguments.ts'
import { contestants } from './contestants/all.ts'
import { loadHttp } from './load/http.ts'
import { hasWrk, loadWithWrk } from './load/wrk.ts'
import { measurements } from './measure/all.ts'
import type { Plan } from './measure/measurement.ts'
import { separateCores } from './process/cores.ts'
import { prepare } from './process/prepare.ts'
import { profile } from './profile.ts'
import { readFloors, resultsFolder, writeChart, writeMeasurement } from './report/files.ts'
import { failures, judge, verdictLine } from './report/floors.ts'
import { describeMachine, machineLine } from './report/machine.ts'
import { measurementTable } from './report/measurement-table.ts'
import { progressOn } from './report/progress.ts'
import { limit, type Row } from './report/row.ts'
import { runMeasurement } from './run.ts'

// a quick run must end within two minutes, also on a slow machine, so nothing is begun after this
const quickBudgetMs = 95_000

try {
  const asked = readArguments(process.argv.slice(2))
  if (asked.help) print(usage)
  else if (asked.list) print(listing())
  else if (asked.profile !== undefined) print(await runProfile(asked.profile, asked))
  else if (!(await compare(asked))) process.exitCode = 1
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
  process.exitCode = 2
}

/** Runs what was asked for; false when a floor that counts is broken, or was not looked at for lack of time. */
async function compare(asked: Arguments): Promise<boolean> {
  const chosen = choose(measurements, asked.only)
  const useWrk = !asked.quick && hasWrk()
  const plan = planFor(asked, useWrk)
  await prepare()
  const machine = describeMachine(separateCores(), useWrk ? 'wrk' : 'our own generator')
  const folder = resultsFolder(asked.quick || asked.contestants.length > 0 ? 'partial' : '')
  const progress = progressOn(process.stderr)
  const all: Row[] = []
  let outOfTime = false
  print(machineLine(machine))
  for (const measurement of chosen) {
    outOfTime = asked.quick && performance.now() > quickBudgetMs
    if (outOfTime) {
      print(`\n${measurement.title}  (${measurement.name}): left out, no time is left`)
      continue
    }
    const rows = await runMeasurement(measurement, plan, progress)
    progress.done()
    print(`\n${measurementTable(measurement, rows)}`)
    writeMeasurement(folder, measurement, { machine, rows })
    all.push(...rows)
  }
  if (asked.only.length === 0) writeChart(folder, all, machine)
  const verdicts = judge(readFloors(), all)
  if (verdicts.length > 0) print(`\nFloors\n${verdicts.map(verdictLine).join('\n')}`)
  return !asked.check || (failures(verdicts).length === 0 && !outOfTime)
}

function planFor(asked: Arguments, useWrk: boolean): Plan {
  const names = asked.contestants.length === 0 ? [] : [limit, ...asked.contestants]
  return {
    quick: asked.quick,
    contestants: choose(contestants, names),
    rounds: asked.rounds ?? (asked.quick ? 3 : 5),
    roundMs: asked.quick ? 120 : 1000,
    loadHttp: useWrk ? loadWithWrk : loadHttp,
  }
}

async function runProfile(transport: 'http' | 'stdio', asked: Arguments): Promise<string> {
  const [contestant] = choose(contestants, asked.contestants.length === 0 ? ['trunkline'] : asked.contestants)
  if (contestant === undefined) throw new Error('Cannot profile nobody')
  await prepare()
  separateCores()
  return profile(contestant, transport)
}

function listing(): string {
  const lines = measurements.map(({ name, title }) => `  ${name.padEnd(16)} ${title}`)
  return ['Measurements', ...lines, '', 'Contestants', ...contestants.map(({ name }) => `  ${name}`)].join('\n')
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`)
}
