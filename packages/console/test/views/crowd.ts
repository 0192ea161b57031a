/** An app that asks for more at once than is worked on, and shows how much of it was refused at once. */
import { ask, introduce } from './ask.ts'

const shown = document.createElement('p')
document.body.append(shown)
let refused = 0

await introduce('crowd')
for (let pear = 0; pear < 10; pear += 1) {
  ask('tools/call', { name: 'refresh', arguments: { what: `pear ${pear}` } }).catch(() => {
    refused += 1
    shown.textContent = `${refused} refused`
  })
}
