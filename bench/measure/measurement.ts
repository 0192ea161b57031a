import type { Contestant } from '../contestants/contestant.ts'
import type { HttpLoad, LoadOutcome } from '../load/load.ts'
import type { MeteredOutcome } from '../process/cpu-time.ts'

/** One thing that is measured: a name to ask for it by, and groups of entrants that take turns. */
export interface Measurement {
  readonly name: string
  readonly title: string
  groups(plan: Plan): readonly Group[]
}

/** Thoroughness of a run, and its contestants. */
export interface Plan {
  readonly quick: boolean
  readonly contestants: readonly Contestant[]
  readonly rounds: number
  readonly roundMs: number
  readonly loadHttp: (load: HttpLoad) => Promise<LoadOutcome>
}

/** Entrants that are compared with each other. */
export interface Group {
  readonly title: string
  readonly unit: string
  /** Direction in which a figure is better. */
  readonly better: 'more' | 'less'
  readonly entrants: readonly Entrant[]
  /** Turns of each contestant. @default the plan's rounds */
  readonly rounds?: number
  /** Turns that do not count, taken first. @default 0 */
  readonly warmUps?: number
  /** Names the heat of an entrant; heats come one after the other. @default all in one */
  readonly heat?: (entrant: Entrant) => string
  /** Place of the group on the axis of a growth plot. */
  readonly at?: number
}

/** One contestant, in one variant, in one group. */
export interface Entrant {
  readonly contestant: string
  readonly variant: string
  open(): Promise<Sampler>
}

/** An entrant that is up and takes its turns. */
export interface Sampler {
  sample(): Promise<Sample>
  close(): Promise<void>
}

/** The figure of one turn. */
export interface Sample {
  readonly value: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Microseconds of processor time that a call cost the server. */
  readonly cpuMicros?: number
}

/** Heats of one variant each: a server that rests for too long forgets how to be fast. */
export function byVariant({ variant }: Entrant): string {
  return variant
}

/** Heats of one contestant each: for what is too large to be there several times. */
export function byContestant({ contestant }: Entrant): string {
  return contestant
}

/** Turns after which no server over HTTP here gets faster any more; a quick run has no time for so many. */
export function turnsToWarm({ quick }: Plan): number {
  return quick ? 1 : 4
}

/** Turns after which no gateway gets faster any more: a call through one runs through far more code than one of a server. */
export function turnsToWarmGateway({ quick }: Plan): number {
  return quick ? 1 : 16
}

const few = ['raw', 'trunkline', 'official v2']

/** The same plan, cut down to the contestants that matter most when time is short. */
export function fewWhenQuick(plan: Plan): Plan {
  if (!plan.quick) return plan
  return { ...plan, contestants: plan.contestants.filter(({ name }) => few.includes(name)) }
}

/** A sampler of something that needs nothing kept open between turns. */
export function sampling(sample: () => Promise<number>): Sampler {
  return { sample: async () => ({ value: await sample() }), close: async () => {} }
}

/** The sample of a round of calls: how many a second, how long they took, and where that is known what they cost. */
export function throughput({ calls, seconds, ...rest }: LoadOutcome | MeteredOutcome): Sample {
  return { value: calls / seconds, ...rest }
}
