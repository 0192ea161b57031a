import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { installCommand, trunklineCommand } from './our-command.ts'

/** From the end of a killed host until a client of `trunkline stdio` is answered by the next one, in milliseconds. */
export async function restartedHostMs(): Promise<number> {
  installCommand()
  const home = mkdtempSync(join(tmpdir(), 'bench-host-'))
  writeFileSync(join(home, 'trunkline.json'), JSON.stringify({ host: { port: 0 } }))
  const env = { ...process.env, HOME: home, TRUNKLINE_HOME: home }
  const stdio = spawn(process.execPath, [trunklineCommand, 'stdio'], {
    cwd: home,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const pids = new Set<number>()
  try {
    const client = new LineClient(stdio)
    const clientInfo = { name: 'bench', version: '1' }
    await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    client.tell('notifications/initialized')
    const pid = hostIn(home)
    pids.add(pid)
    const start = performance.now()
    process.kill(pid, 'SIGKILL')
    // requests under way when the host ended are answered with an error, so this one is repeated until it is answered
    while (!(await client.ask('ping', {})));
    const ms = performance.now() - start
    pids.add(hostIn(home))
    if (pids.size < 2) throw new Error('Cannot count this answer: the host was not restarted')
    return ms
  } finally {
    stdio.kill('SIGKILL')
    for (const pid of pids) end(pid)
    rmSync(home, { recursive: true, force: true })
  }
}

function hostIn(home: string): number {
  return (JSON.parse(readFileSync(join(home, 'state/running.json'), 'utf8')) as { pid: number }).pid
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it is gone already
  }
}

/** Asks one thing after the other over a pipe. */
class LineClient {
  readonly #program: ChildProcess
  readonly #answers = new Map<number, (isResult: boolean) => void>()
  #id = 0

  constructor(program: ChildProcess) {
    this.#program = program
    const { stdout } = program
    if (!stdout) throw new Error('Cannot speak to a program without pipes')
    createInterface(stdout).on('line', (line) => {
      const { id, result } = JSON.parse(line) as { id?: number; result?: object }
      if (id !== undefined) this.#answers.get(id)?.(result !== undefined)
    })
  }

  /** Resolves when it was answered: whether with a result. */
  ask(method: string, params: object): Promise<boolean> {
    this.#id += 1
    const answered = new Promise<boolean>((resolve) => this.#answers.set(this.#id, resolve))
    this.#write({ id: this.#id, method, params })
    return answered
  }

  tell(method: string): void {
    this.#write({ method })
  }

  #write(message: object): void {
    this.#program.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
}
