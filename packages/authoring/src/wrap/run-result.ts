import { constants } from 'node:os'
import { type ContentBlock, embed, type Fields, image, link, type Reply, reply, text } from '@trunkline/mcp'
import type { Status } from '@trunkline/mcp/contract'
import type { CapturedOutput } from './captured-stream.ts'
import { decodeOutput } from './decode-output.ts'
import type { ProgramTool } from './description.ts'
import { type ParsedOutput, parseOutput } from './parse-output.ts'
import type { ProgramOutcome } from './program-run.ts'

/** The structured content of every call of a program. */
export function resultSchema({ outputSchema }: ProgramTool): Fields {
  const stream = { type: 'string', description: 'Text, without escapes; empty for what is no text' }
  const more = {
    type: 'object',
    properties: { bytes: { type: 'integer' }, uri: { type: 'string' }, mimeType: { type: 'string' } },
    required: ['bytes'],
  }
  return {
    type: 'object',
    properties: {
      exitCode: { type: ['integer', 'null'] },
      signal: { type: ['string', 'null'], description: 'What ended the program, if a signal did' },
      timedOut: { type: 'boolean' },
      stdout: stream,
      stderr: stream,
      value: outputSchema ?? { description: 'What stdout says, where it is JSON' },
      stdoutMore: { ...more, description: 'Where all of stdout is, when it is too long or no text' },
      stderrMore: { ...more, description: 'Where all of stderr is, when it is too long or no text' },
    },
    required: ['exitCode', 'signal', 'stdout', 'stderr'],
  }
}

/** Result of a run for the caller; an exit code that is not among the accepted ones is a failure. */
export function runResult(outcome: ProgramOutcome, tool: ProgramTool): Reply {
  const stdout = shownStream('stdout', outcome.stdout)
  const stderr = shownStream('stderr', outcome.stderr)
  const hasFailed = !(tool.okExitCodes ?? [0]).includes(outcome.exitCode ?? -1)
  const { value, problem } = hasFailed ? {} : readValue(stdout, tool)
  const isError = hasFailed || problem !== undefined
  const structured = {
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    ...(outcome.isTimedOut && { timedOut: true }),
    stdout: stdout.text,
    stderr: stderr.text,
    ...(value !== undefined && { value }),
    ...(stdout.more && { stdoutMore: stdout.more }),
    ...(stderr.more && { stderrMore: stderr.more }),
  }
  // stderr of a success is for people only; that of a failure, for the model too
  const aside = isError ? {} : { annotations: { audience: ['user' as const], priority: 0.2 } }
  const content: ContentBlock[] = [
    ...stdout.content,
    ...stderr.content.map((block) => ({ ...block, ...aside })),
    ...(isError ? [text(problem ?? ending(outcome))] : []),
  ]
  const meta = { 'dev.trunkline/contract': { status: statusOf(outcome, isError) } }
  return reply(content.length > 0 ? content : [text('')], { structured, isError, meta })
}

/** Exit status by the library's contract; a signal counts as shells count it. */
function statusOf({ exitCode, signal, isTimedOut }: ProgramOutcome, isError: boolean): Status {
  const code = exitCode ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
  return isTimedOut ? { code: 124, class: 'timeout' } : { code, class: isError ? 'failed' : 'ok' }
}

function ending({ exitCode, signal, isTimedOut }: ProgramOutcome): string {
  if (isTimedOut) return 'The program was stopped: its time was over'
  return signal === null ? `The program ended with exit code ${exitCode}` : `The program was ended by ${signal}`
}

interface ShownStream {
  readonly text: string
  /** Text that a value is read from. */
  readonly data: string
  readonly content: readonly ContentBlock[]
  readonly more?: { readonly bytes: number; readonly uri?: string; readonly mimeType?: string }
}

/** The address under which all of an output can be read. */
export function outputUri(id: string): string {
  return `wrap://output/${id}`
}

function shownStream(name: string, { head, tail, total, kept }: CapturedOutput): ShownStream {
  if (total === 0) return { text: '', data: '', content: [] }
  const decoded = decodeOutput(head, kept !== undefined)
  const uri = kept && outputUri(kept.id)
  const whole = uri && link({ uri, name, description: `All of ${name}, ${kept.bytes} bytes`, size: kept.bytes })
  if (decoded.kind === 'text') {
    return {
      text: decoded.text,
      data: decoded.data,
      content: [text(decoded.text + (tail ? restOf(name, { head, tail, total }) : '')), ...(whole ? [whole] : [])],
      ...(uri !== undefined && { more: { bytes: total, uri } }),
    }
  }
  const { mimeType } = decoded
  const more = { bytes: total, mimeType, ...(uri !== undefined && { uri }) }
  if (whole) return { text: '', data: '', content: [{ ...whole, mimeType }], more }
  const block = mimeType.startsWith('image/') ? image(head, mimeType) : embed(`wrap://${name}`, head, mimeType)
  return { text: '', data: '', content: [block], more }
}

/** Text in the place of the rest, and the end of the output if it can be read by itself. */
function restOf(name: string, { head, tail, total }: Required<Omit<CapturedOutput, 'kept'>>): string {
  const start = tail.findIndex((byte) => (byte & 0xc0) !== 0x80)
  const decoded = decodeOutput(tail.subarray(Math.max(0, start)), true)
  // of UTF-16, which begins with a mark, a part by itself cannot be read
  const end = decoded.kind === 'text' && (head[0] ?? 0) < 0xfe ? decoded.text : ''
  const note = `\n[${name} goes on: ${head.length} of ${total} bytes are here${end === '' ? '' : ', and its end'}]`
  return end === '' ? note : `${note}\n${end}`
}

function readValue({ data, more }: ShownStream, { output }: ProgramTool): ParsedOutput {
  // half of a value is none
  return more === undefined ? parseOutput(data, output) : {}
}
