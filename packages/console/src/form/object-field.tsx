import { join } from './check.ts'
import type { FieldProps } from './field-props.ts'
import { isRequired, isSchema, propertiesOf, resolve } from './schema.ts'
import styles from './schema-form.module.css'

/** The members of an object, each with a field of its own. */
export function ObjectField({ schema, path, value, form, onChange }: FieldProps) {
  const members = isSchema(value) ? value : {}
  const change = (name: string, member: unknown) => {
    const { [name]: _, ...others } = members
    // the order of the schema, so that what is sent reads like it
    const next = { ...others, ...(member !== undefined && { [name]: member }) }
    const order = propertiesOf(schema).map(([key]) => key)
    const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
    onChange(Object.fromEntries(Object.entries(next).sort(([one], [other]) => place(one) - place(other))))
  }
  return (
    <div className={styles.members}>
      {propertiesOf(schema).map(([name, property]) => (
        <form.Field
          key={name}
          schema={resolve(property, form.root)}
          path={join(path, name)}
          name={name}
          value={Object.hasOwn(members, name) ? members[name] : undefined}
          isRequired={isRequired(schema, name)}
          form={form}
          onChange={(member) => change(name, member)}
        />
      ))}
    </div>
  )
}
