import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { showWords } from '@trunkline/base/show-words'
import { type Client, connect } from '@trunkline/mcp'
import { codeLimits } from '../src/code-limits.ts'
import { type CodeServerOptions, codeServer } from '../src/code-server.ts'
import type { Language } from '../src/languages.ts'

/** A project with files in it, beside a secret that lies outside of it; gone at the end of the block. */
export function sandbox(files: { readonly [path: string]: string | Uint8Array }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trunkline-code-')))
  const root = join(folder, 'shop')
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.scripted'), 'OUTSIDE\n')
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  return {
    ...{ root, outside, diary: join(folder, 'diary'), write },
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A language whose server is the scripted one of these tests. */
export function scripted(manner: string, diary = '', other = ''): Language {
  const program = join(import.meta.dirname, 'scripted-language-server.js')
  return { name: 'scripted', files: ['.scripted'], command: [process.execPath, program, manner, diary, other] }
}

/** Limits that tests reach quickly. */
export const quick = {
  ...codeLimits,
  ...{ graceMs: 300, restartPauseMs: 60_000, lookEveryMs: 20 },
}

/** A client of a server whose languages' commands are all accepted. */
export async function openCode(options: CodeServerOptions, connecting: Parameters<typeof connect>[1] = {}) {
  const accept = (options.languages ?? []).map(({ command = [] }) => showWords(command))
  const code = await codeServer({ accept, ...options })
  const client = (await connect(code.server as never, connecting)) as Client
  return {
    ...{ code, client },
    call: (name: string, input: object = {}) => callTool(client, name, input),
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await code[Symbol.asyncDispose]()
    },
  }
}

/** Calls a tool; its text, its structured content, and the code of its problem. */
export async function callTool(client: Client, name: string, input: object) {
  const result = await client.tools.call(name, input as never)
  const text = result.content.map((block) => ('text' in block ? block.text : JSON.stringify(block))).join('\n')
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every form
  const structured = result.structuredContent as any
  return { ...{ text, structured, result }, problem: structured?.error?.code as string | undefined }
}
