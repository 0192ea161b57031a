import { test } from 'node:test'
import { checks } from '../runtimes/checks.ts'
import { definition, options } from '../runtimes/definition.ts'
import { faces } from './faces.ts'

for (const [face, open] of Object.entries(faces)) {
  for (const [name, check] of Object.entries(checks)) {
    test(`${face}: ${name}`, async () => {
      await using place = await open(definition(), options)
      await check(place)
    })
  }
}
