import { usageFailure } from '../failure/failure.ts'
import { everyCommandOptions } from './shared-options.ts'

/** A verb as it is typed, and the options that it uses. */
export interface VerbOptions {
  readonly verb: string
  readonly takes: readonly string[]
}

/** Refuses an option that one verb of a command has no use for: left alone, it would seem to do something. */
export function onlyOptions(given: object, { verb, takes }: VerbOptions): void {
  const stray = Object.entries(given).find(
    ([name, value]) => value !== undefined && !takes.includes(name) && !Object.hasOwn(everyCommandOptions, name),
  )
  if (!stray) return
  const hint = takes.length === 0 ? 'It takes no options' : `It takes ${takes.map((name) => `--${name}`).join(', ')}`
  throw usageFailure(`Cannot use "--${stray[0]}" with "trunkline ${verb}"`, hint)
}
