/** Writes numbers to the store in argv[2] for ever, and says on stdout which are committed; ends itself by no signal. */
import { writeSync } from 'node:fs'
import { inserter, numbersIn, openNumbers } from './numbers.ts'

const store = openNumbers(process.argv[2] ?? '')
const insert = inserter(store)
let next = (numbersIn(store).at(-1) ?? 0) + 1

for (;;) {
  const first = next
  const writes = Array.from({ length: 8 }, (_, at) => {
    const write = () => insert(next++)
    return at === 0 ? store.durable(write) : store.batch(write)
  })
  await Promise.all(writes)
  writeSync(1, `${first + writes.length - 1}\n`)
}
