import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, type ClientOptions, type Fields, open } from '@trunkline/mcp/client'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { commandPath as launcher } from '../command-path.ts'

/** The program that is wrapped in tests. */
export const program = [process.execPath, join(import.meta.dirname, '../fixtures/program.mjs')]

/** A server made by `trunkline wrap`, in a process of its own, and a folder that is gone with it. */
export interface Wrapped extends AsyncDisposable {
  readonly client: Client
  readonly folder: string
}

/** Wraps what a description says; its program is the one for tests unless it names another. */
export async function wrapped(
  description: Fields,
  {
    args = [],
    client = {},
    folder = newFolder(),
  }: { args?: readonly string[]; client?: ClientOptions; folder?: string } = {},
): Promise<Wrapped> {
  const file = join(folder, 'description.yaml')
  writeFileSync(file, JSON.stringify({ program, ...description }))
  return openWrapped([...args, file], { client, folder })
}

interface OpenOptions {
  readonly client?: ClientOptions
  readonly folder?: string
  readonly env?: { readonly [name: string]: string }
}

/** Runs `trunkline wrap` with these words and connects to it. */
export async function openWrapped(
  args: readonly string[],
  { client: options = {}, folder = newFolder(), env: given = {} }: OpenOptions = {},
): Promise<Wrapped> {
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'trunkline-test-compiled'), ...given }
  const target = { command: process.execPath, args: [launcher, 'wrap', ...args], cwd: folder, env }
  const client = await open(() => spawnChannel(target), options)
  return {
    client,
    folder,
    async [Symbol.asyncDispose]() {
      await client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'wrap-'))
}

/** Result of a program. */
export interface ProgramResult {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut?: boolean
  readonly value?: unknown
  readonly stdoutMore?: { readonly bytes: number; readonly uri?: string; readonly mimeType?: string }
}

/** True if a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
