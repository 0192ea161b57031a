import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bubblewrapProblem } from './bubblewrap.ts'

test('bubblewrapProblem: there is no sandbox of the system on macOS and Windows, whatever is installed', async () => {
  const launch = { kind: 'program', command: 'true', args: [], cwd: '/', env: {} } as const
  for (const platform of ['darwin', 'win32'])
    assert.deepEqual(await bubblewrapProblem(launch, platform), {
      problem: 'this system has no sandbox for any program (bubblewrap takes Linux)',
    })
})
