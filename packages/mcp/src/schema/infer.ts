import type { Fields } from '../wire/messages.ts'

/** The type of the values that fit a JSON Schema written as a literal, as far as that is cheap to tell. */
export type FromJson<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Kind }
      ? FromKind<Schema, Kind extends readonly unknown[] ? Kind[number] : Kind>
      : unknown

type FromKind<Schema, Kind> = Kind extends 'string'
  ? string
  : Kind extends 'number' | 'integer'
    ? number
    : Kind extends 'boolean'
      ? boolean
      : Kind extends 'null'
        ? null
        : Kind extends 'array'
          ? FromArray<Schema>
          : Kind extends 'object'
            ? FromObject<Schema>
            : unknown

type FromArray<Schema> = Schema extends { readonly items: infer Items } ? FromJson<Items>[] : unknown[]

type FromObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Members<Properties, RequiredNames<Schema>>
  : Fields

// a list of names that is no literal says nothing about any one of them
type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never

type Members<Properties, Required> = Flat<
  { -readonly [Name in keyof Properties as Name extends Required ? Name : never]: FromJson<Properties[Name]> } & {
    -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: FromJson<Properties[Name]>
  }
>

type Flat<Type> = { [Name in keyof Type]: Type[Name] }
