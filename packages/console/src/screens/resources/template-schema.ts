import type { Schema } from '../../form/schema.ts'

/** The variables of a template as a schema: all of them are text. */
export function schemaOfTemplate(template: string): Schema {
  const names = [...template.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/(?:\*|:\d+)$/, '')),
  )
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
}
