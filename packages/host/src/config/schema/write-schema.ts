/** Writes the JSON Schema of `trunkline.json` for editors, and the page of all settings. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsSchema } from './settings.ts'
import { settingsPage } from './settings-page.ts'

const root = join(import.meta.dirname, '../../../../..')
writeFileSync(join(root, 'packages/host/trunkline.schema.json'), `${JSON.stringify(settingsSchema, null, 2)}\n`)
writeFileSync(join(root, 'docs/settings.md'), settingsPage())
