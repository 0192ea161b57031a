import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measurement } from '../measure/measurement.ts'
import { benchFolder } from '../process/places.ts'
import { throughputChart } from './chart.ts'
import type { Floor } from './floors.ts'
import { growthChart } from './growth-chart.ts'
import type { Machine } from './machine.ts'
import type { Row } from './row.ts'

/** Folder of results; profiles and the results of quick runs or of few contestants lie apart, not committed. */
export function resultsFolder(part: '' | 'partial' | 'profiles'): string {
  const folder = join(benchFolder, 'results', part)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Writes what one measurement found, and its plot if it is one of growth. */
export function writeMeasurement(
  folder: string,
  { name, title }: Measurement,
  result: { machine: Machine; rows: Row[] },
): void {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ measurement: name, title, ...result }, null, 2)}\n`)
  if (result.rows.some((row) => row.at !== undefined && row.rounds.length > 0))
    writeFileSync(join(folder, `${name}.svg`), growthChart(title, result.rows, result.machine))
}

/** Writes the chart over all measurements of a run. */
export function writeChart(folder: string, rows: readonly Row[], machine: Machine): void {
  writeFileSync(join(folder, 'throughput.svg'), throughputChart(rows, machine))
}

/** The committed floors. */
export function readFloors(): Floor[] {
  return JSON.parse(readFileSync(join(benchFolder, 'floors.json'), 'utf8')) as Floor[]
}
