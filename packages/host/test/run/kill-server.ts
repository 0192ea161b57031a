import assert from 'node:assert/strict'
import type { Upstream } from '../../src/servers/upstream.ts'

/** Kills the process of a server that runs, as a crash does. */
export function killServer(server: Upstream | undefined): void {
  const { pid } = server?.status ?? {}
  // to kill process 0 is to kill the test with all that it started
  assert.ok(pid, 'a server that is to be killed has to run')
  process.kill(pid, 'SIGKILL')
}
