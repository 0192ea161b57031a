import { useEffect, useState } from 'react'
import { LongText } from './long-text.tsx'
import styles from './result.module.css'

export interface MediaProps {
  readonly kind: 'image' | 'audio'
  readonly data: string
  readonly mimeType: string
}

const safeImages = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const safeAudio = /^audio\/[\w.+-]+$/

/** A picture or a sound that came with a result; drawings with code in them are shown as text. */
export function Media({ kind, data, mimeType }: MediaProps) {
  const isSafe = (kind === 'image' ? safeImages : safeAudio).test(mimeType)
  const address = useAddress(isSafe ? data : '', mimeType)
  if (!isSafe || address === 'broken') return <LongText text={data} label={`${mimeType}, as base64`} />
  if (address === undefined) return null
  if (kind === 'image') return <img className={styles.image} src={address} alt={`Result of type ${mimeType}`} />
  // biome-ignore lint/a11y/useMediaCaption: a server sends none
  return <audio controls src={address} />
}

function useAddress(data: string, mimeType: string): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (data === '') return
    let made: string | undefined
    try {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
      made = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
      setAddress(made)
    } catch {
      setAddress('broken')
    }
    return () => {
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [data, mimeType])
  return address
}
