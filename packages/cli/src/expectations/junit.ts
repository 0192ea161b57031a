import { visibleText } from '@trunkline/host/text'
import type { TestOutcome } from './run-tests.ts'

/** The outcome of tests as build servers read it. */
export function junitReport(suite: string, outcomes: readonly TestOutcome[]): string {
  const failures = outcomes.filter(({ problem }) => problem !== undefined).length
  const cases = outcomes.map(({ name, ms, problem }) => {
    const head = `    <testcase name="${escaped(name)}" classname="${escaped(suite)}" time="${ms / 1000}"`
    if (problem === undefined) return `${head}/>`
    return `${head}>\n      <failure message="${escaped(problem)}"/>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(suite)}" tests="${outcomes.length}" failures="${failures}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function escaped(text: string): string {
  return visibleText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
}
