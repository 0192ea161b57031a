import { type Failure, usageFailure } from '../failure/failure.ts'
import type { Command } from './command.ts'
import type { CommandLine } from './parse-command-line.ts'
import { isLiteral, slotAt, type UsageForm, usageForms, wordsTaken } from './usage-form.ts'

/** A command line, and whether the server that it is for is connected already. */
export interface TypedWords extends CommandLine {
  readonly isConnected: boolean
}

/** Refuses a word, or a program, that no form of the command has a place for: left alone, it would seem to do something. */
export async function refuseStrayWords(command: Command, typed: TypedWords): Promise<void> {
  const { words, program } = typed
  const all = usageForms(command)
  if (program !== undefined && !all.some(({ takesProgram }) => takesProgram)) {
    throw usageFailure(`Cannot use "--": "trunkline ${command.name}" takes no program`, usageHint(command, all))
  }
  const forms = meantForms(all, typed)
  const taken = forms.map((form) => ({ form, count: wordsTaken(form, words) }))
  const most = Math.max(...taken.map(({ count }) => count))
  if (most === words.length) return
  const near = taken.filter(({ count }) => count === most).map(({ form }) => form)
  const verbs = near.flatMap((form) => slotAt(form, most)?.split('|') ?? []).filter(isLiteral)
  if (verbs.length > 0) throw await unknownVerb(command, words.slice(0, most + 1), verbs)
  throw strayWord(
    command,
    words[most] ?? '',
    all.filter((form) => !isOtherVerb(form, words)),
  )
}

/** True if a form begins with another verb than the typed one. */
function isOtherVerb(form: UsageForm, words: readonly string[]): boolean {
  return isLiteral(slotAt(form, wordsTaken(form, words)) ?? '')
}

/** Forms that may have been meant, by the program and the options given. */
function meantForms(all: readonly UsageForm[], { program, options, isConnected }: TypedWords): readonly UsageForm[] {
  const hasServer = program !== undefined || isConnected
  const byProgram = all.filter(({ takesProgram }) => takesProgram === hasServer)
  const forms = byProgram.length > 0 ? byProgram : all
  const byOption = forms.filter((form) => form.options.some((name) => options[name] !== undefined))
  return byOption.length > 0 ? byOption : forms
}

async function unknownVerb({ name }: Command, words: readonly string[], verbs: readonly string[]): Promise<Failure> {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(words.at(-1) ?? '', verbs)
  const guess = near === undefined ? '' : `; did you mean "${near}"?`
  const before = ['trunkline', name, ...words.slice(0, -1)].join(' ')
  return usageFailure(`Cannot do "${[name, ...words].join(' ')}"${guess}`, `Write: ${before} ${verbs.join('|')}`)
}

function strayWord(command: Command, word: string, forms: readonly UsageForm[]): Failure {
  const said = command.strayWord ?? `Cannot use "${word}": "trunkline ${command.name}" takes no more words`
  return usageFailure(said, usageHint(command, forms))
}

function usageHint({ name }: Command, forms: readonly UsageForm[]): string {
  const lines = forms.map(({ written }) => `trunkline ${name} ${written}`.trimEnd())
  return `Write: ${lines.join(', or ')}`
}
