import { readFile } from 'node:fs/promises'
import { usageFailure } from '../failure/failure.ts'
import { recordedClient } from '../recording/recorded-client.ts'
import { isRecording, readRecording } from '../recording/recording.ts'
import { recordedTests } from './recorded-tests.ts'
import { parseTestFile, type TestFile } from './test-file.ts'

/** Reads a file of tests, or a recording as one. */
export async function readTests(path: string): Promise<TestFile> {
  const written = await readFile(path, 'utf8')
  if (!isRecording(written)) return parseTestFile(written, path)
  const records = await readRecording(path)
  const tests = recordedTests(records)
  if (tests.length === 0) throw usageFailure(`Cannot test with "${path}": it has no request that was answered`)
  return { tests, recorded: recordedClient(records) }
}
