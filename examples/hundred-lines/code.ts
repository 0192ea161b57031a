/** A server for code: asks any language server, once the person agreed to start it: `node code.ts FOLDER COMMAND…` */
import { spawn } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Context, serveFromCommandLine, server } from '@trunkline/mcp'
import { z } from 'zod'

const [folder = '.', program = '', ...args] = process.argv.slice(2)
const root = await realpath(folder)

/** Starts a language server; it speaks JSON-RPC, each message behind a header with its length. */
async function startLanguageServer() {
  const { stdin, stdout } = spawn(program, args, { cwd: root })
  const pending = new Map<number, (result: unknown) => void>()
  let [waiting, lastId] = [Buffer.alloc(0), 0]
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  stdout.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      const [header = '', length] = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(waiting.toString('latin1')) ?? []
      const end = header.length + Number(length)
      if (length === undefined || waiting.length < end) return
      const { id, method, result } = JSON.parse(waiting.toString('utf8', header.length, end))
      waiting = waiting.subarray(end)
      // it asks its client things, too, and waits for the answer
      if (method === undefined) pending.get(id)?.(result)
      else if (id !== undefined) send({ id, result: null })
    }
  })
  const request = (method: string, params: object): Promise<unknown> => {
    send({ id: ++lastId, method, params })
    return new Promise((resolve) => pending.set(lastId, resolve))
  }
  const notify = (method: string, params: object): void => send({ method, params })
  await request('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities: {} })
  notify('initialized', {})
  return { request, notify }
}

let started: ReturnType<typeof startLanguageServer> | undefined

/** The language server; it runs code of the project, so the person decides whether it starts. */
async function languageServer(ctx: Context) {
  if (started) return started
  const question = `Run "${[program, ...args].join(' ')}" in ${root}?`
  const { start } = await ctx.elicit(question, z.object({ start: z.boolean() }))
  if (!start) throw new Error('Cannot answer: the person did not agree to start the language server')
  started ??= startLanguageServer()
  return started
}

/** A place in code is a name on a line; columns are not asked for. */
const input = z.object({ path: z.string(), line: z.number().int().min(1), name: z.string().min(1) })

/** Asks the language server about a place in a file of the project. */
async function ask(method: string, { path, line, name }: z.infer<typeof input>, ctx: Context): Promise<unknown> {
  const file = await realpath(resolve(root, path))
  if (relative(root, file).startsWith('..')) throw new Error(`Cannot read "${path}": it lies outside of the project`)
  const text = await readFile(file, 'utf8')
  const character = text.split('\n')[line - 1]?.indexOf(name) ?? -1
  if (character < 0) throw new Error(`Cannot find "${name}" on line ${line} of "${path}"`)
  const language = await languageServer(ctx)
  const textDocument = { uri: pathToFileURL(file).href, languageId: 'typescript', version: 1, text }
  language.notify('textDocument/didOpen', { textDocument })
  const position = { line: line - 1, character }
  const answer = await language.request(method, { textDocument, position, context: { includeDeclaration: true } })
  language.notify('textDocument/didClose', { textDocument })
  return answer
}

const annotations = { readOnlyHint: true, openWorldHint: false }
// what a client sends back with its answers is sealed with this key
const keys = [crypto.getRandomValues(new Uint8Array(32))]

const code = server({ name: 'code', version: '1.0.0', keys })
  .tool('find_uses', { description: 'Every use of a name', input, annotations }, async (place, ctx) => {
    const found = (await ask('textDocument/references', place, ctx)) as readonly Location[] | null
    const lines = (found ?? []).map(({ uri, range }) => `${relative(root, fileURLToPath(uri))}:${range.start.line + 1}`)
    return [`${lines.length} uses`, ...lines.sort()].join('\n')
  })
  .tool('explain', { description: 'Signature and documentation of a name', input, annotations }, async (place, ctx) => {
    const hover = (await ask('textDocument/hover', place, ctx)) as { contents: { value: string } } | null
    return hover?.contents.value ?? 'Nothing is known about it'
  })

type Location = { readonly uri: string; readonly range: { readonly start: { readonly line: number } } }

await serveFromCommandLine(code, { args: [] })
process.exit()
