import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { path } from '../wire/http.ts'
import { type HttpLoad, type LoadOutcome, WrongAnswer } from './load.ts'

const script = join(import.meta.dirname, 'wrk.lua')

/** True if wrk is installed here. */
export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined
}

/** The same load made by wrk, which takes whole seconds. */
export async function loadWithWrk(load: HttpLoad): Promise<LoadOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-wrk-'))
  const file = join(folder, 'requests')
  writeFileSync(file, load.requests.join('\0'))
  const seconds = Math.max(1, Math.round(load.durationMs / 1000))
  const url = `http://127.0.0.1:${load.port}${path}`
  const args = ['-t1', `-c${load.connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url]
  try {
    const { stdout } = await promisify(execFile)('wrk', [...args, '--', file, ...load.expected])
    return readOutcome(stdout, load.expected)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reads the script's last line: calls, microseconds, p50, p99, broken connections, wrong answers, the first of them. */
export function readOutcome(output: string, expected: readonly string[]): LoadOutcome {
  const found = /^outcome (\d+) (\d+) ([\d.]+) ([\d.]+) (\d+) (\d+) ?(.*)$/m.exec(output)
  if (found === null) throw new Error(`Cannot read what wrk said: "${output.slice(0, 300)}"`)
  const [calls = 0, micros = 0, p50 = 0, p99 = 0, broken = 0, wrong = 0] = found.slice(1, 7).map(Number)
  if (wrong > 0) throw new WrongAnswer(found[7] ?? '', expected)
  if (broken > 0) throw new Error(`Cannot go on: ${broken} connections broke under load`)
  return { calls, seconds: micros / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 }
}
