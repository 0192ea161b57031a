import type { Entrant, Group, Measurement, Plan, Sample, Sampler } from './measure/measurement.ts'
import { NotThereYet } from './process/program.ts'
import type { Progress } from './report/progress.ts'
import type { Row } from './report/row.ts'

/** Runs one measurement: in each group everyone comes up first, then they take turns in short rounds. */
export async function runMeasurement(measurement: Measurement, plan: Plan, progress: Progress): Promise<Row[]> {
  const rows: Row[] = []
  for (const group of measurement.groups(plan)) {
    const turns = group.entrants.map((entrant) => new Turns(entrant))
    for (const heat of heatsOf(turns, group)) {
      try {
        await takeTurns(heat, group, { measurement, plan, progress })
      } finally {
        await Promise.all(heat.map((turn) => turn.close()))
      }
    }
    rows.push(...turns.map((turn) => turn.row(measurement.name, group)))
  }
  return rows
}

function heatsOf(turns: readonly Turns[], { heat = () => '' }: Group): readonly (readonly Turns[])[] {
  return [...Map.groupBy(turns, ({ entrant }) => heat(entrant)).values()]
}

interface Setting {
  readonly measurement: Measurement
  readonly plan: Plan
  readonly progress: Progress
}

async function takeTurns(
  turns: readonly Turns[],
  group: Group,
  { measurement, plan, progress }: Setting,
): Promise<void> {
  const where = [measurement.name, group.title].filter((part) => part !== '').join(', ')
  const rounds = group.rounds ?? plan.rounds
  const warmUps = group.warmUps ?? 0
  for (const turn of turns) {
    progress.say(`${where}: starting ${turn.name}`)
    await turn.open()
  }
  for (let round = -warmUps; round < rounds; round += 1) {
    const what = round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`
    for (const turn of turns) {
      progress.say(`${where}: ${what}, ${turn.name}`)
      await turn.take(round >= 0)
    }
  }
}

/** One entrant's turns; an entrant that fails is out, and the others go on. */
class Turns {
  readonly entrant: Entrant
  readonly #samples: Sample[] = []
  #sampler: Sampler | undefined
  #absent: string | undefined

  constructor(entrant: Entrant) {
    this.entrant = entrant
  }

  get name(): string {
    return `${this.entrant.contestant} ${this.entrant.variant}`.trim()
  }

  async open(): Promise<void> {
    try {
      this.#sampler = await this.entrant.open()
    } catch (cause) {
      this.#absent = reasonOf(cause)
    }
  }

  async take(counts: boolean): Promise<void> {
    if (this.#sampler === undefined || this.#absent !== undefined) return
    try {
      const sample = await this.#sampler.sample()
      if (counts) this.#samples.push(sample)
    } catch (cause) {
      this.#absent = reasonOf(cause)
    }
  }

  async close(): Promise<void> {
    await this.#sampler?.close()
  }

  row(measurement: string, { title, unit, better, at }: Group): Row {
    const { contestant, variant } = this.entrant
    const samples = this.#absent === undefined ? this.#samples : []
    return {
      ...{ measurement, group: title, contestant, variant, unit, better },
      ...(at !== undefined && { at }),
      rounds: samples.map(({ value }) => value),
      ...roundsOf('p50Ms', samples),
      ...roundsOf('p99Ms', samples),
      ...roundsOf('cpuMicros', samples),
      ...(this.#absent !== undefined && { absent: this.#absent }),
    }
  }
}

function roundsOf(
  name: 'p50Ms' | 'p99Ms' | 'cpuMicros',
  samples: readonly Sample[],
): Partial<Record<typeof name, readonly number[]>> {
  const values = samples.flatMap((sample) => sample[name] ?? [])
  return values.length === 0 ? {} : { [name]: values }
}

function reasonOf(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause)
  return cause instanceof NotThereYet ? `not there yet: ${words}` : `failed: ${words}`
}
