import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteInput } from '@trunkline/host/api'
import { Failure } from '../failure/failure.ts'
import { counted } from '../output/counted.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import { readKey } from '../terminal/read-key.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type AnswerCoverage, type CoverageKey, offeredCoverage } from './answer-coverage.ts'
import type { HostLink } from './host-link.ts'
import { wordings } from './question-wording.ts'
import { editablePart, questionLines, type ShownQuestion } from './show.ts'

export interface AnsweringOptions {
  readonly output: Output
  readonly terminal: Terminal
  /** Aborts when the answer is not wanted any more. */
  readonly signal: AbortSignal
}

const choices = { y: 'once', s: 'session', p: 'project', a: 'always', n: 'refuse' } as const
const said = {
  s: 'Allowed for this session',
  p: 'Allowed in this project until you revoke it with "trunkline grants"',
  a: 'Allowed from now on',
  n: 'Refused',
} as const

/** Shows one question and takes the decision of the person at the terminal. */
export async function answerQuestion(
  host: HostLink,
  question: ShownQuestion,
  options: AnsweringOptions,
): Promise<void> {
  const { output, terminal, signal } = options
  const coverage = await offeredCoverage(host, question)
  const keys = keysFor(question, coverage)
  const wording = wordings[question.kind]
  const shown = { ...meanings, ...coverage.keys, y: `y ${wording.yes}` }
  let content: { readonly [key: string]: unknown } | undefined
  let lines = questionLines(question)
  for (;;) {
    for (const line of lines) output.note(line)
    if (content) output.note([styled('strong', `Edited: ${JSON.stringify(content)}`)])
    terminal.screen.write(`${keys.map((key) => shown[key]).join(', ')}: `)
    const key = await output.asking(() => readKey(terminal, keys, signal))
    terminal.screen.write(`${key === '\t' ? 'later' : key}\n`)
    lines = questionLines(question)
    if (key === '\t') return
    if (key === 'y' && question.kind === 'form') return fillIn(host, question, options)
    if (key === 'a' && !(await wantsRule(host, question, { ...options, coverage }))) continue
    if (key === 't' || key === 'c') lines = coverage.toggle(key)
    else if (key === 'e') content = edited(content ?? editablePart(question) ?? {}, output)
    else {
      const answer = { id: question.id, choice: choices[key], ...coverage.sentWith(choices[key]) }
      if (await isTaken(host, { ...answer, ...(content && { content }) }, output)) {
        return output.note(styled(key === 'n' ? 'warning' : 'good', key === 'y' ? wording.done : said[key]))
      }
      content = undefined
    }
  }
}

/** Gives an answer; one that the host refuses, such as arguments that do not fit, is said and can be given anew. */
async function isTaken(host: HostLink, answer: Omit<RouteInput<'answer'>, 'door'>, output: Output): Promise<boolean> {
  try {
    await host.call('answer', { ...answer, door: 'terminal' })
    return true
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'Refused') throw error
    output.warn(error.message)
    return !(await host.call('inbox')).items.some(({ id }) => id === answer.id)
  }
}

/** "Always" is a rule, which is shown with its file, its layer and what it matches before it is written. */
async function wantsRule(
  host: HostLink,
  { id, kind }: ShownQuestion,
  options: AnsweringOptions & { readonly coverage: AnswerCoverage },
): Promise<boolean> {
  if (kind !== 'call') return true
  const { output, terminal, signal } = options
  const { rule } = await host.call('questionContext', { id })
  if (!rule) {
    output.note('It destroys, and no rule can say these arguments exactly, so it can only be allowed once')
    return false
  }
  const { isForAllClients } = options.coverage
  const clients = isForAllClients ? 'for all clients' : `for ${rule.client} alone`
  output.note([styled('strong', `allow "${rule.text}" ${clients}`), ` in ${rule.file} (${rule.layer})`])
  const matches = counted(isForAllClients ? rule.matchesOfAll : rule.matches, 'call')
  output.note(`It matches ${matches} of the last 30 days; "trunkline policy undo" takes it back`)
  terminal.screen.write('Write this rule? y yes, n no: ')
  const key = await output.asking(() => readKey(terminal, ['y', 'n'], signal))
  terminal.screen.write(`${key}\n`)
  return key === 'y'
}

/** A form is filled in before it is sent, field by field. */
async function fillIn(host: HostLink, question: ShownQuestion, options: AnsweringOptions): Promise<void> {
  const { id, detail } = question
  const { TerminalQuestions } = await import('../terminal/questions.ts')
  const { fillForm } = await import('../asking/form.ts')
  const { output, terminal, signal } = options
  const message = String(detail.message)
  const requestedSchema = detail.requestedSchema as { readonly [key: string]: unknown }
  const filled = await fillForm(new TerminalQuestions(terminal, output, signal), {
    mode: 'form',
    message,
    requestedSchema,
  })
  if (filled.action === 'cancel') return
  const choice = filled.action === 'accept' ? 'once' : 'refuse'
  const content = 'content' in filled && filled.content ? { content: filled.content } : {}
  await host.call('answer', { id, choice, door: 'terminal', ...content })
}

type Key = 'y' | CoverageKey | keyof typeof meanings

const meanings = {
  s: 's session',
  p: 'p in this project',
  a: 'a always',
  n: 'n refuse',
  e: 'e edit',
  '\t': 'Tab later',
} as const

/** Keys that answer a question; "for this session" is none of them for calls that destroy, which ask every time. */
function keysFor({ kind, target, detail }: ShownQuestion, { project, keys }: AnswerCoverage): readonly Key[] {
  if (kind === 'call' && detail.class === 'destroys') return ['y', 'a', 'n', 'e', '\t']
  if (kind === 'call') {
    const wider = Object.keys(keys) as CoverageKey[]
    return ['y', 's', ...(project === undefined ? [] : (['p'] as const)), 'a', 'n', ...wider, 'e', '\t']
  }
  if (target === '@sample') return ['y', 's', 'a', 'n', 'e', '\t']
  return kind === 'result' ? ['y', 'n', 'e', '\t'] : ['y', 'n', '\t']
}

/** Arguments as the person leaves them in their editor; anything but a JSON object is not taken. */
function edited(args: { readonly [key: string]: unknown }, output: Output): { readonly [key: string]: unknown } {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
  const file = join(folder, 'arguments.json')
  try {
    writeFileSync(file, `${JSON.stringify(args, null, 2)}\n`, { mode: 0o600 })
    const [editor = 'vi', ...words] = (process.env.VISUAL ?? process.env.EDITOR ?? 'vi').split(' ')
    const { status, error } = spawnSync(editor, [...words, file], { stdio: 'inherit' })
    if (error || status !== 0) throw new Error(error?.message ?? `the editor ended with ${status}`)
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object')
    return value as { readonly [key: string]: unknown }
  } catch (error) {
    output.warn(`It stays as it was: ${(error as Error).message}`)
    return args
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
