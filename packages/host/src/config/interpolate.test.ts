import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMissing, interpolate, type ReferenceLookup } from './interpolate.ts'

const variables = new Map([
  ['NAME', 'ada'],
  ['EMPTY', ''],
  ['NESTED', '${NAME}'],
])

const lookup: ReferenceLookup = {
  variable: (name) => variables.get(name),
  input: (id) => (id === 'api-key' ? 'typed' : undefined),
  secret: (name) => (name === 'github.TOKEN' ? 'hidden' : undefined),
  workspace: '/work/shop',
  home: '/home/ada',
}

const replaced: readonly (readonly [text: string, result: string])[] = [
  ['plain', 'plain'],
  ['${NAME}', 'ada'],
  ['hi ${NAME}, ${NAME}!', 'hi ada, ada!'],
  ['${env:NAME}', 'ada'],
  ['${MISSING:-else}', 'else'],
  ['${env:MISSING:-else:-where}', 'else:-where'],
  ['${EMPTY:-else}', 'else'],
  ['[${EMPTY}]', '[]'],
  ['${MISSING:-}', ''],
  ['${input:api-key}', 'typed'],
  ['Bearer ${secret:github.TOKEN}', 'Bearer hidden'],
  ['secret:github.TOKEN', 'hidden'],
  ['a secret:github.TOKEN', 'a secret:github.TOKEN'],
  ['${workspaceFolder}/x', '/work/shop/x'],
  ['${workspaceFolderBasename}', 'shop'],
  ['${userHome}${pathSeparator}x${/}y', '/home/ada/x/y'],
  ['$${NAME} costs $5', '${NAME} costs $5'],
  ['${:-secret:github.TOKEN}', 'secret:github.TOKEN'],
  // inserted values are not interpolated again
  ['${NESTED}', '${NAME}'],
  ['$NAME %NAME% {env:NAME}', '$NAME %NAME% {env:NAME}'],
]

for (const [text, result] of replaced) {
  test(`interpolate: ${text} is ${result}`, () => {
    assert.deepEqual(interpolate(text, lookup), { text: result, missing: [] })
  })
}

const missing: readonly (readonly [text: string, sentence: string])[] = [
  ['${MISSING}', 'MISSING is not set'],
  ['${env:MISSING}', 'MISSING is not set'],
  ['${input:other}', 'the input "other" was not given; keep it: trunkline secret set input.other'],
  ['${secret:other}', 'there is no secret "other"; keep one: trunkline secret set other'],
  ['secret:other', 'there is no secret "other"; keep one: trunkline secret set other'],
  ['${command:pick}', '${command:pick} is not known'],
  ['${}', '${} is not known'],
  ['${__proto__.x}', '${__proto__.x} is not known'],
  ['${constructor}', 'constructor is not set'],
]

for (const [text, sentence] of missing) {
  test(`interpolate: ${text}: ${sentence}`, () => {
    assert.deepEqual(interpolate(text, lookup).missing.map(describeMissing), [sentence])
  })
}

test('interpolate: a folder of a project needs one', () => {
  const { missing } = interpolate('${workspaceFolder}', { ...lookup, workspace: undefined })
  assert.deepEqual(missing.map(describeMissing), ['${workspaceFolder} needs a project, and the caller has none'])
})

test('interpolate: a text made to be slow is not', () => {
  const text = '${'.repeat(50_000) + '$${'.repeat(50_000)
  assert.ok(interpolate(text, lookup).text.length > 0)
})
