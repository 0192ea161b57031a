/** Address of a server's report on its settings, and on the source of each. */
export const settingsUri = 'contract:///settings'

/** One place that a setting can come from. */
export interface SettingSource {
  /** The layer: an earlier one wins. */
  readonly from: 'flag' | 'environment' | 'file' | 'default'
  /** The flag, the variable, or the file and the member in it. */
  readonly where?: string
}

/** Report of a server on one of its settings. */
export interface SettingReport extends Partial<SettingSource> {
  readonly name: string
  readonly description?: string
  /** Left out where it is secret, or where nothing gave it a value. */
  readonly value?: string | number | boolean
  readonly isSecret?: true
  /** The layers that had a value too, and lost. */
  readonly overrides?: readonly SettingSource[]
}
