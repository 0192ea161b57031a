import { shortMessage, type TestResult } from './test-report.ts'

/** A start or end of an element of the report. */
interface Tag {
  readonly name: string
  readonly isEnd: boolean
  readonly isEmpty: boolean
  readonly attributes: { readonly [name: string]: string }
}

/** Reads the report of `pytest --junitxml`, in the form that has file and line. */
export function readJunitReport(report: string): readonly TestResult[] {
  const results: TestResult[] = []
  let current: TestResult | undefined
  for (const { name, isEnd, isEmpty, attributes } of tagsOf(report)) {
    if (name === 'testcase' && !isEnd) {
      current = begun(attributes)
      if (isEmpty) results.push(current)
    }
    if (name === 'testcase' && isEnd && current) results.push(current)
    if (current && !isEnd && (name === 'failure' || name === 'error')) {
      current = { ...current, state: 'failed', message: shortMessage(attributes.message ?? '') }
    }
    if (current && !isEnd && name === 'skipped') current = { ...current, state: 'skipped' }
  }
  return results
}

function begun({ classname = '', name = '', file, line }: Tag['attributes']): TestResult {
  const group = classname.split('.').at(-1) ?? ''
  return {
    name: /^[A-Z]/.test(group) ? `${group} > ${name}` : name,
    state: 'passed',
    ...(file !== undefined && { path: file }),
    // counted from 0 there
    ...(line !== undefined && { line: Number(line) + 1 }),
  }
}

/** The tags of a document, one after the other; texts between them are not needed. */
function* tagsOf(xml: string): Generator<Tag> {
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const skipped = skippedBehind(xml, at)
    if (skipped !== undefined) {
      at = skipped
      continue
    }
    const end = tagEnd(xml, at)
    const text = xml.slice(at + 1, end)
    const [, slash = '', name = ''] = /^(\/?)([\w:-]+)/.exec(text) ?? []
    yield { name, isEnd: slash === '/', isEmpty: text.endsWith('/'), attributes: attributesOf(text) }
    at = end
  }
}

/** The end of a comment, a declaration or marked text that begins here. */
function skippedBehind(xml: string, at: number): number | undefined {
  const kinds = [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
    ['<!', '>'],
  ] as const
  const [, close] = kinds.find(([open]) => xml.startsWith(open, at)) ?? []
  if (close === undefined) return undefined
  const end = xml.indexOf(close, at)
  return end < 0 ? xml.length : end + close.length
}

/** The end of a tag; a sign in quotes does not end it. */
function tagEnd(xml: string, start: number): number {
  let quote = ''
  for (let at = start; at < xml.length; at++) {
    const character = xml[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  return xml.length
}

function attributesOf(tag: string): Record<string, string> {
  const pairs = tag.matchAll(/(?<![\w:-])([\w:-]+)="([^"]*)"/g)
  return Object.fromEntries(Array.from(pairs, ([, name = '', value = '']) => [name, decoded(value)]))
}

const entities: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
