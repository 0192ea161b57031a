import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { AuthoringError } from '../failure/authoring-error.ts'

/** Bytes of a file with a plan; the host takes less. */
const maxBytes = 1024 ** 2

/** Reads a plan from a file of YAML or JSON, `-` being stdin; the host judges what it says. */
export async function readPlan(path: string, stdin: AsyncIterable<string | Uint8Array>): Promise<object> {
  const text = path === '-' ? await allOf(stdin) : await readFile(path, 'utf8')
  if (Buffer.byteLength(text) > maxBytes)
    throw new AuthoringError(`Cannot use "${path}": it has more than ${maxBytes} bytes, and no plan has that many`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error)
    throw new AuthoringError(`Cannot use "${path}", line ${lines.linePos(error.pos[0]).line}: ${error.message}`)
  const value = valueOfDocument(path, () => document.toJS({ maxAliasCount: 100 }))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new AuthoringError(`Cannot use "${path}": a plan is an object with "steps"`)
}

function valueOfDocument(path: string, read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    // too many aliases
    throw new AuthoringError(`Cannot use "${path}": ${error instanceof Error ? error.message : error}`)
  }
}

async function allOf(stream: AsyncIterable<string | Uint8Array>): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream) {
    pieces.push(Buffer.from(piece))
    bytes += piece.length
    if (bytes > maxBytes) break
  }
  return Buffer.concat(pieces).toString('utf8')
}
