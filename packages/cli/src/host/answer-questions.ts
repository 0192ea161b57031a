import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import { readKey } from '../terminal/read-key.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { HostLink } from './host-link.ts'
import { questionLines, type ShownQuestion } from './show.ts'

export interface AnsweringOptions {
  readonly output: Output
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** Whether to wait for further questions. */
  readonly watch: boolean
}

const choices = { y: 'once', s: 'session', a: 'always', n: 'refuse' } as const

/** Asks a person about every open question, and about those that come while they watch. */
export async function answerQuestions(host: HostLink, options: AnsweringOptions): Promise<void> {
  const { output, signal, watch } = options
  const { items: open } = await host.call('inbox')
  if (open.length === 0 && !watch) return output.note('Nothing waits for you')
  if (!watch) {
    for (const question of open) await answerQuestion(host, question, options)
    return
  }
  output.note('Waiting for questions; Ctrl-C ends')
  for await (const event of host.events(signal)) {
    if (event.event === 'question') await answerQuestion(host, event.question, options)
  }
}

async function answerQuestion(host: HostLink, question: ShownQuestion, options: AnsweringOptions): Promise<void> {
  const { output, terminal, signal } = options
  const canEdit = question.kind === 'call'
  let content: { readonly [key: string]: unknown } | undefined
  for (;;) {
    for (const line of questionLines(question)) output.note(line)
    if (content) output.note([styled('strong', `Edited: ${JSON.stringify(content)}`)])
    terminal.screen.write(keysFor(question))
    const key = await readKey(terminal, canEdit ? ['y', 's', 'a', 'n', 'e', '\t'] : ['y', 'n', '\t'], signal)
    terminal.screen.write(`${key === '\t' ? 'later' : key}\n`)
    if (key === '\t') return
    if (key !== 'e') {
      await host.call('answer', {
        id: question.id,
        choice: choices[key],
        door: 'terminal',
        ...(content && { content }),
      })
      return
    }
    content = edited(content ?? (question.detail.arguments as typeof content) ?? {}, output)
  }
}

function keysFor({ kind }: ShownQuestion): string {
  if (kind === 'call') return 'y once, s session, a always, n refuse, e edit, Tab later: '
  return 'y yes, n no, Tab later: '
}

/** The arguments as the person leaves them in their editor; what is no JSON object is not taken. */
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
    output.warn(`The arguments stay as they were: ${(error as Error).message}`)
    return args
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
