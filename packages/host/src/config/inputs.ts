import type { HostSettings } from './schema/settings.ts'

/** A value that a person is asked for once, as a configuration describes it. */
export type InputEntry = NonNullable<HostSettings['inputs']>[number]

/** Values of `${input:ID}`: kept as the secrets `input.ID`, else the default that a configuration gives. */
export class Inputs {
  readonly #entries: ReadonlyMap<string, InputEntry>

  constructor(entries: readonly InputEntry[] = []) {
    this.#entries = new Map(entries.flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry]])))
  }

  /** The value of an input, given the one that a person keeps for it; a default of a password would be no secret. */
  valueOf(id: string, kept: string | undefined): string | undefined {
    const entry = this.#entries.get(id)
    const value = kept ?? (entry?.password === true ? undefined : entry?.default)
    return value !== undefined && this.#isOffered(entry, value) ? value : undefined
  }

  /** The words for a person about an input that has no value. */
  describeMissing(id: string): string {
    const { description, type } = this.#entries.get(id) ?? {}
    const choices = this.#choices(this.#entries.get(id))
    const about = [
      description,
      type === 'command' && 'its command is not run here',
      choices.length > 0 && `one of ${choices.map((one) => `"${one}"`).join(', ')}`,
    ].filter((part) => typeof part === 'string')
    const which = about.length === 0 ? `"${id}"` : `"${id}" (${about.join('; ')})`
    return `the input ${which} was not given; keep it: trunkline secret set input.${id}`
  }

  #isOffered(entry: InputEntry | undefined, value: string): boolean {
    return entry?.type !== 'pickString' || this.#choices(entry).length === 0 || this.#choices(entry).includes(value)
  }

  #choices({ type, options = [] }: InputEntry = {}): readonly string[] {
    if (type !== 'pickString') return []
    return options.map((one) => (typeof one === 'string' ? one : String((one as { value?: unknown }).value)))
  }
}
