import type { Fields } from '../wire/messages.ts'

/**
 * The type of the values that fit a JSON Schema written as a literal, as far as that is cheap to tell; once they are
 * filled, what has a default is there.
 */
export type FromJson<Schema, Side extends 'given' | 'filled' = 'given'> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Kind }
      ? FromKind<Schema, Kind extends readonly unknown[] ? Kind[number] : Kind, Side>
      : unknown

type FromKind<Schema, Kind, Side extends 'given' | 'filled'> = Kind extends 'string'
  ? string
  : Kind extends 'number' | 'integer'
    ? number
    : Kind extends 'boolean'
      ? boolean
      : Kind extends 'null'
        ? null
        : Kind extends 'array'
          ? FromArray<Schema, Side>
          : Kind extends 'object'
            ? FromObject<Schema, Side>
            : unknown

type FromArray<Schema, Side extends 'given' | 'filled'> = Schema extends { readonly items: infer Items }
  ? FromJson<Items, Side>[]
  : unknown[]

type FromObject<Schema, Side extends 'given' | 'filled'> = Schema extends { readonly properties: infer Properties }
  ? Members<Properties, RequiredNames<Schema> | (Side extends 'filled' ? DefaultedNames<Properties> : never), Side>
  : Fields

// a "required" of type string[] says nothing about single names
type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never

type DefaultedNames<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown } ? Name : never
}[keyof Properties]

type Members<Properties, Required, Side extends 'given' | 'filled'> = Flat<
  { -readonly [Name in keyof Properties as Name extends Required ? Name : never]: FromJson<Properties[Name], Side> } & {
    -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: FromJson<Properties[Name], Side>
  }
>

type Flat<Type> = { [Name in keyof Type]: Type[Name] }
