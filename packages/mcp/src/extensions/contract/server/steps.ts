import type { EffectStore } from '../../../stores/effect-store.ts'
import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { isObject } from '../../../wire/messages.ts'
import { contractId, type StepReport } from '../terms.ts'

type Later<Value> = Value | Promise<Value>

/** Record of steps, so that a repeat of the call finds them. */
export interface StepRecord {
  readonly store: EffectStore
  /** The call, by a name that only this server gives. */
  readonly call: string
  readonly expiresAt: number
}

interface Done {
  readonly name: string
  readonly undo: (() => Later<unknown>) | undefined
}

/** Steps in one call: a tool with more is a loop that could not be undone. */
const maxSteps = 1_000

/** The steps of one call: what was done is undone in reverse when a later one fails. */
export class Steps {
  readonly #record: StepRecord | undefined
  readonly #done: Done[] = []
  readonly #reports: { -readonly [Key in keyof StepReport]: StepReport[Key] }[] = []
  readonly #names = new Set<string>()

  constructor(record: StepRecord | undefined) {
    this.#record = record
  }

  get reports(): readonly StepReport[] {
    return this.#reports
  }

  /** Runs a step, or returns what it gave when an earlier attempt at this call ran it. */
  async run<Value>(name: string, run: () => Later<Value>, undo?: () => Later<unknown>): Promise<Value> {
    checkFunctions(name, run, undo)
    this.#claim(name)
    const known = await this.#begin(name)
    if (known?.state === 'begun' || isUndoing(known?.value)) throw this.#unknown(name)
    if (known) return this.#finished(name, undo, known.value as Value)
    const value = await this.#first(name, run)
    // it has happened, and is to be undone, also where that cannot be recorded
    this.#finished(name, undo, value)
    await this.#record?.store.done(this.#effect(name), value ?? null)
    return value
  }

  async #first<Value>(name: string, run: () => Later<Value>): Promise<Value> {
    try {
      return await run()
    } catch (error) {
      this.#reports.push({ name, state: 'failed', why: messageOf(error) })
      await this.#record?.store.undone(this.#effect(name))
      throw error
    }
  }

  /** Undoes what was done, the last first. What cannot be undone is reported, and the others are undone all the same. */
  async undo(): Promise<void> {
    for (const { name, undo } of this.#done.splice(0).reverse()) {
      if (!undo) continue
      const report = this.#reports.find((each) => each.name === name)
      if (!report) continue
      try {
        // if the process ends from here on, the outcome of the step is unknown
        await this.#record?.store.done(this.#effect(name), undoing)
        await undo()
        report.state = 'undone'
        await this.#record?.store.undone(this.#effect(name))
      } catch (error) {
        report.state = 'undo failed'
        report.why = messageOf(error)
      }
    }
  }

  #claim(name: string): void {
    if (typeof name !== 'string' || name === '')
      throw new McpError('Misuse', 'Cannot run a step: its name must be a text')
    if (this.#names.has(name)) throw new McpError('Misuse', `Cannot run step "${name}": this call has one of that name`)
    if (this.#names.size >= maxSteps)
      throw new McpError('TooMany', `Cannot run step "${name}": a call has at most ${maxSteps}`)
    this.#names.add(name)
  }

  #begin(name: string) {
    return this.#record?.store.begin(this.#effect(name), this.#record.expiresAt)
  }

  #effect(name: string): { call: string; key: string } {
    return { call: this.#record?.call ?? '', key: `step ${name}` }
  }

  #finished<Value>(name: string, undo: Done['undo'], value: Value): Value {
    this.#done.push({ name, undo })
    this.#reports.push({ name, state: 'done' })
    return value
  }

  // it may have taken effect before its process ended: neither a repeat nor an undo is safe
  #unknown(name: string): Error {
    const why = 'the process that ran it ended'
    this.#reports.push({ name, state: 'unknown', why })
    return new Error(
      `It is not known whether step "${name}" took effect: ${why}. Look before you call again with another key`,
    )
  }
}

function checkFunctions(name: string, run: unknown, undo: unknown): void {
  if (typeof run !== 'function')
    throw new McpError('Misuse', `Cannot run step "${name}": write ctx.step("${name}", () => …), not ${kindOf(run)}`)
  if (undo !== undefined && typeof undo !== 'function')
    throw new McpError('Misuse', `Cannot run step "${name}": its undo must be a function, not ${kindOf(undo)}`)
}

/** The value of a step that is being undone. */
const undoing = { [contractId]: 'undoing' } as const

function isUndoing(value: unknown): boolean {
  return isObject(value) && value[contractId] === undoing[contractId]
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
