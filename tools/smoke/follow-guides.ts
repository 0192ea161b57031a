import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../lib/files.ts'
import { must } from '../lib/run.ts'
import { programOf, type Step, stepsOf } from './guide-steps.ts'

const followed = ['getting-started', 'authorization']
/** Those whose blocks are one file; the last is run, and uses the others. */
const joined = ['servers', 'asking', 'testing']

/** Does what the guides say, word for word, in an empty folder with an empty home, on a Node and with what is installed. */
export async function followGuides(folder: string, node: string): Promise<string> {
  const project = join(folder, 'greeter')
  const browser = join(folder, 'browser')
  const home = join(folder, 'home')
  const installed = join(folder, 'node_modules')
  for (const path of [project, browser, home, join(installed, '.bin')]) mkdirSync(path, { recursive: true })
  symlinkSync(join(root, 'node_modules/typescript'), join(installed, 'typescript'))
  // a reader's compiler, except that it checks no declaration again that it has checked for an earlier step
  const compiler = `exec "${join(installed, 'typescript/bin/tsc')}" --incremental --checkers 1 "$@"`
  writeFileSync(join(installed, '.bin/tsc'), `#!/bin/sh\n${compiler}\n`, { mode: 0o755 })
  symlinkSync(installed, join(project, 'node_modules'))
  // a browser whose user agrees to everything
  writeFileSync(join(browser, 'xdg-open'), '#!/usr/bin/env node\nfetch(process.argv[2])\n')
  chmodSync(join(browser, 'xdg-open'), 0o755)
  const path = [browser, dirname(node), process.env.PATH].join(delimiter)
  const follower = new Follower(project, { HOME: home, PATH: path, LANG: 'C' })
  try {
    for (const name of followed) await follower.follow(name)
    await follower.join(joined)
  } finally {
    follower.close()
  }
  return `${followed.length + joined.length} guides followed`
}

class Follower {
  readonly #project: string
  readonly #env: NodeJS.ProcessEnv
  readonly #staying: ChildProcess[] = []

  constructor(project: string, env: NodeJS.ProcessEnv) {
    this.#project = project
    this.#env = env
  }

  async follow(name: string): Promise<void> {
    const port = await freePort()
    // the port of the guide may be taken on this machine
    const guide = readGuide(name).replaceAll('3000', String(port))
    for (const step of stepsOf(guide)) {
      try {
        await this.#do(step)
      } catch (error) {
        throw new Error(`Cannot follow docs/${name}.md: ${(error as Error).message}`)
      }
    }
  }

  /** Takes the blocks of each guide for a file, and runs the last one. */
  async join(names: readonly string[]): Promise<void> {
    for (const name of names) this.#write(`src/${name}.ts`, programOf(readGuide(name)))
    const commands = ['npx tsc', `node dist/${names.at(-1)}.js`]
    await this.#do({ kind: 'run', commands, stays: false })
  }

  async #do(step: Step): Promise<void> {
    if (step.kind === 'write') return this.#write(step.path, step.text)
    const commands = step.commands.filter(isFollowed)
    const options = { cwd: this.#project, env: this.#env, limitMs: 120_000 }
    const last = step.stays ? commands.pop() : undefined
    let said = ''
    for (const command of commands) said = await must('bash', ['-c', command], options)
    if (step.said !== undefined && said !== step.said) {
      throw new Error(`"${commands.at(-1)}" printed ${JSON.stringify(said)}, not ${JSON.stringify(step.said)}`)
    }
    if (last !== undefined) await this.#stay(last)
  }

  #write(path: string, text: string): void {
    if (path.endsWith('.json')) JSON.parse(text)
    const target = join(this.#project, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }

  /** Starts a command that does not end, and waits until it says something. */
  async #stay(command: string): Promise<void> {
    const child = spawn('bash', ['-c', `exec ${command}`], { cwd: this.#project, env: this.#env })
    this.#staying.push(child)
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    const spoke = await Promise.race([once(child.stdout, 'data'), once(child, 'close').then(() => undefined)])
    if (spoke === undefined) throw new Error(`"${command}" ended before it said anything: ${complaint}`)
  }

  close(): void {
    for (const child of this.#staying) child.kill('SIGKILL')
  }
}

function readGuide(name: string): string {
  return readFileSync(join(root, `docs/${name}.md`), 'utf8')
}

/** True unless a command needs a network or a foreign program, or makes the folder that is there already. */
function isFollowed(command: string): boolean {
  return !/^(?:npm install|claude|mkdir \w+ && cd)\b/.test(command)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
