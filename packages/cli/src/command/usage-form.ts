import type { CommandDescription, OptionDescriptions } from './command.ts'

/** One form of a command line, as `usage` writes it. */
export interface UsageForm {
  readonly written: string
  /** Placeholders and fixed words in order, without options: `SERVER`, `add`, `bash|zsh|fish`. */
  readonly slots: readonly string[]
  /** True if the last slot takes any number of words. */
  readonly repeats: boolean
  /** The options that make it this form, by their long names. */
  readonly options: readonly string[]
  /** True if `--` and a program follow. */
  readonly takesProgram: boolean
}

/** The forms of a command line that a command says it has. */
export function usageForms({ usage, options }: Pick<CommandDescription, 'usage' | 'options'>): readonly UsageForm[] {
  return usage.map((written) => parseForm(written, options))
}

function parseForm(written: string, known: OptionDescriptions): UsageForm {
  const tokens = written.split(' ').filter((token) => token !== '')
  const end = tokens.indexOf('--')
  const slots: string[] = []
  const options: string[] = []
  let isValue = false
  for (const token of end < 0 ? tokens : tokens.slice(0, end)) {
    const word = token.replace(/^\[|\]$/g, '')
    if (word.startsWith('-')) {
      const [name = '', option] = Object.entries(known).find(([long, { short }]) => isOption(word, long, short)) ?? []
      if (!token.startsWith('[')) options.push(name)
      isValue = option?.type === 'string'
    } else if (isValue) isValue = false
    else slots.push(word)
  }
  const repeats = slots.at(-1)?.endsWith('…') === true
  return {
    written,
    slots: slots.map((slot) => slot.replace(/…$/, '')),
    repeats,
    options,
    takesProgram: end >= 0,
  }
}

function isOption(word: string, long: string, short: string | undefined): boolean {
  return word === `--${long}` || (short !== undefined && word === `-${short}`)
}

/** Slot of a form at a place, counted from 0. */
export function slotAt({ slots, repeats }: UsageForm, place: number): string | undefined {
  return slots[place] ?? (repeats ? slots.at(-1) : undefined)
}

/** True if a slot is filled by the very words it names, such as `add` or `bash|zsh|fish`. */
export function isLiteral(slot: string): boolean {
  return /^[a-z][a-z|-]*$/.test(slot)
}

/** Number of these words that a form takes, from the first on. */
export function wordsTaken(form: UsageForm, words: readonly string[]): number {
  const end = words.findIndex((word, place) => {
    const slot = slotAt(form, place)
    return slot === undefined || (isLiteral(slot) && !slot.split('|').includes(word))
  })
  return end < 0 ? words.length : end
}
