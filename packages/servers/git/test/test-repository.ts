import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, connect, type SamplingRequest } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { type GitServerOptions, gitServer } from '../src/git-server.ts'

const person = join(realpathSync(mkdtempSync(join(tmpdir(), 'trunkline-git-person-'))), 'gitconfig')
writeFileSync(person, '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n')
// the settings of the person who runs the tests take no part in them
Object.assign(process.env, { GIT_CONFIG_GLOBAL: person, GIT_CONFIG_NOSYSTEM: '1' })
process.on('exit', () => rmSync(dirname(person), { recursive: true, force: true }))

/** A repository in a folder of its own, beside a folder that lies outside; gone at the end of the block. */
export class TestRepository {
  /** The folder that is served. */
  readonly top: string
  readonly path: string
  /** A folder that no call may read or write. */
  readonly outside: string
  #seconds = 1_760_000_000

  constructor(files: { readonly [path: string]: string | Uint8Array } = {}, from?: TestRepository) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'trunkline-git-')))
    this.top = join(root, 'work')
    this.path = join(this.top, 'project')
    this.outside = join(root, 'outside')
    for (const folder of [this.path, this.outside]) mkdirSync(folder, { recursive: true })
    if (from !== undefined) {
      cpSync(from.path, this.path, { recursive: true })
      return
    }
    // without the samples of hooks, which every copy would copy
    this.git('init', '-q', '--template=')
    for (const folder of ['hooks', 'info']) mkdirSync(join(this.path, '.git', folder))
    this.write(files)
    if (Object.keys(files).length > 0) this.commit('first')
  }

  /** Runs git in the repository, as the person at a terminal would. */
  git(...args: readonly string[]): string {
    const date = `${++this.#seconds} +0000`
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    const options = { cwd: this.path, env, encoding: 'utf8' as const }
    return execFileSync('git', [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()
  }

  /** The same repository once more, elsewhere. */
  copy(): TestRepository {
    return new TestRepository({}, this)
  }

  /** Makes objects and refs of a stream of `git fast-import`. */
  fastImport(stream: string): void {
    execFileSync('git', ['fast-import', '--quiet', '--force'], {
      cwd: this.path,
      input: stream,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }

  /** Runs git and returns its exit code. */
  exitCode(...args: readonly string[]): number {
    return spawnSync('git', [...args], { cwd: this.path, stdio: 'ignore', timeout: 10_000 }).status ?? -1
  }

  write(files: { readonly [path: string]: string | Uint8Array }): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true })
      writeFileSync(join(this.path, path), content)
    }
  }

  commit(message: string): string {
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', message)
    return this.#head()
  }

  // read as a file: a start of git takes longer than all else here
  #head(): string {
    const folder = join(this.path, '.git')
    const [, ref] = /^ref: (.+)\n$/.exec(readFileSync(join(folder, 'HEAD'), 'utf8')) ?? []
    return readFileSync(join(folder, ref ?? 'HEAD'), 'utf8').trim()
  }

  [Symbol.dispose](): void {
    rmSync(dirname(this.top), { recursive: true, force: true })
  }
}

/** A client of a server for a folder; `answer` fills in the forms that the server asks for, `model` answers its prompts. */
export async function clientOf(
  directory: string,
  options: Partial<GitServerOptions> = {},
  answer?: (message: string) => { readonly [name: string]: string },
  model?: (prompt: string) => string,
) {
  const served = await gitServer({ directories: [directory], ...options })
  const elicitation =
    answer && (({ message }: { readonly message: string }) => ({ action: 'accept' as const, content: answer(message) }))
  const sampling =
    model &&
    (({ messages }: SamplingRequest) => {
      const [block] = messages.flatMap(({ content }) => content)
      const text = model(block?.type === 'text' ? block.text : '')
      return { role: 'assistant' as const, model: 'scripted', content: { type: 'text' as const, text } }
    })
  const answers = { ...(elicitation && { elicitation }), ...(sampling && { sampling }) }
  return connect(served, { extensions: [contract()], ...answers })
}

/** Structured content of a result, of a type that the test expects. */
export async function call<Result = { readonly [name: string]: unknown }>(
  client: Pick<Client, 'tools'>,
  name: string,
  args: { readonly [name: string]: unknown } = {},
): Promise<Result> {
  const result = await client.tools.call(name, args as never)
  return (result.structuredContent ?? { content: result.content, isError: result.isError }) as Result
}

/** The code of the problem that a result tells; undefined for one that went well. */
export async function codeOf(
  client: Pick<Client, 'tools'>,
  name: string,
  args: { readonly [name: string]: unknown } = {},
): Promise<string | undefined> {
  const { error } = await call<{ error?: { code: string } }>(client, name, args)
  return error?.code
}

/** Gives a repository a hook, and returns the hash by which its text is accepted. */
export function writeHook({ path }: TestRepository, name: string, script: string): string {
  const [file, text] = [join(path, '.git/hooks', name), `#!/bin/sh\n${script}\n`]
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return createHash('sha256').update(text).digest('hex')
}
