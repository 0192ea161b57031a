/** Writes the JSON Schema of `trunkline.json` for editors, into `packages/host/trunkline.schema.json`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsSchema } from './settings.ts'

const file = join(import.meta.dirname, '../../../trunkline.schema.json')
writeFileSync(file, `${JSON.stringify(settingsSchema, null, 2)}\n`)
