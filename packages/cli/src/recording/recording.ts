import { readFile } from 'node:fs/promises'
import { usageFailure } from '../failure/failure.ts'
import type { WireRecord } from './wire-line.ts'

/** First line of a recording. */
export interface RecordingHead {
  readonly recording: 'trunkline'
  readonly format: 1
  /** Start time, as ISO 8601. */
  readonly begun: string
}

/** The first line of a new recording. */
export function recordingHead(): RecordingHead {
  return { recording: 'trunkline', format: 1, begun: new Date().toISOString() }
}

/** True if a text is a recording, by its first line. */
export function isRecording(text: string): boolean {
  try {
    return (JSON.parse(text.slice(0, text.indexOf('\n') + 1)) as Partial<RecordingHead>).recording === 'trunkline'
  } catch {
    return false
  }
}

/** Reads a recording: one JSON object per line, the first of which says that it is one. */
export async function readRecording(path: string): Promise<readonly WireRecord[]> {
  const [first = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const head = parsed(first, path, 1) as Partial<RecordingHead>
  if (head.recording !== 'trunkline') throw usageFailure(`Cannot replay "${path}": it is no recording of trunkline`)
  if (head.format !== 1) throw usageFailure(`Cannot replay "${path}": this version does not know format ${head.format}`)
  return lines.map((line, at) => checkedRecord(parsed(line, path, at + 2), path, at + 2))
}

function parsed(line: string, path: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // said below, with the line
  }
  throw usageFailure(`Cannot read "${path}": line ${number} is no JSON object`)
}

function checkedRecord(value: object, path: string, number: number): WireRecord {
  const { direction, message } = value as Partial<WireRecord>
  const isRecord = (direction === 'sent' || direction === 'received') && typeof message === 'object' && message !== null
  if (isRecord) return value as WireRecord
  throw usageFailure(`Cannot read "${path}": line ${number} has no "direction" and "message"`)
}
