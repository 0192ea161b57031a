import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SearchIndex } from './search.ts'

const tools = [
  { name: 'github__create_issue', description: 'Opens an issue in a repository' },
  { name: 'github__list_issues', description: 'Issues of a repository' },
  { name: 'files__read_file', description: 'Contents of a file' },
  { name: 'mail__sendMessage', description: 'Sends an e-mail; attach a file if needed' },
]
const found = (query: string) => new SearchIndex(tools).search(query).map(({ item }) => item.name)

it('SearchIndex: words of the name weigh more than words of the description', () => {
  assert.equal(found('file')[0], 'files__read_file')
  assert.deepEqual(new Set(found('file')), new Set(['files__read_file', 'mail__sendMessage']))
})

it('SearchIndex: finds plurals, parts of camel case, and several words', () => {
  assert.equal(found('create issues')[0], 'github__create_issue')
  assert.equal(found('send message')[0], 'mail__sendMessage')
})

it('SearchIndex: finds by title and by the names of parameters', () => {
  const index = new SearchIndex([
    { name: 'a', title: 'Weather report', description: 'x' },
    { name: 'b', description: 'tells the weather', parameters: ['cityName', 'unit'] },
  ])
  const names = (query: string) => index.search(query).map(({ item }) => item.name)
  assert.deepEqual(names('weather'), ['a', 'b'])
  assert.deepEqual(names('city'), ['b'])
})

it('SearchIndex: finds nothing for unknown words, and nothing in nothing', () => {
  assert.deepEqual(found('zebra'), [])
  assert.deepEqual(found(''), [])
  assert.deepEqual(new SearchIndex([]).search('file'), [])
})

it('SearchIndex: gives no more than was asked for', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `tool_${index}`, description: 'does things' }))
  assert.equal(new SearchIndex(many).search('thing', 7).length, 7)
})
