import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { RecordingFile } from './recording-file.ts'

test('RecordingFile: ends at its limit with a whole line, and says so once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'))
  const path = join(folder, 'r.jsonl')
  const warnings: string[] = []
  {
    using file = new RecordingFile(path, {
      onLimit: (message) => warnings.push(message),
      onError: (error) => assert.fail(error),
      maxBytes: 1_000,
    })
    for (let at = 0; at < 100; at++)
      file.keep({ at, direction: 'sent', message: { jsonrpc: '2.0', method: 'é'.repeat(50) } })
  }
  const text = readFileSync(path, 'utf8')
  assert.ok(Buffer.byteLength(text) <= 1_000)
  for (const line of text.trimEnd().split('\n')) JSON.parse(line)
  assert.deepEqual(warnings, ['The recording ends here: it may have 1000 bytes'])
  assert.equal(statSync(path).mode & 0o077, 0)
  rmSync(folder, { recursive: true })
})
