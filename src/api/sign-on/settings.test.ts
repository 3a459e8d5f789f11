import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../config.ts'
import { requireSoundSignOn } from './settings.ts'

const given = (oidc: object = {}, passwords = true) => {
  const { signOn } = loadConfig({ env: {} })
  return { ...signOn, passwords, oidc: { ...signOn.oidc, ...oidc } }
}
const sound = { issuer: 'https://login.example.net/realms/ops', clientId: 'floodgauge' }

test('single sign-on needs a safe issuer, a client and the public address', () => {
  const publicUrl = 'https://ddos.example.net'
  requireSoundSignOn(given(), '')
  requireSoundSignOn(given(sound), publicUrl)
  requireSoundSignOn(given(sound, false), publicUrl)
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    requireSoundSignOn(given({ ...sound, issuer: `http://${host}:5556/dex` }), `http://${host}:8080`)
  const wrong: [object, string, RegExp, boolean?][] = [
    [{}, publicUrl, /passwords/, false],
    [sound, '', /http\.publicUrl/],
    [sound, 'http://ddos.example.net', /http\.publicUrl/],
    [{ ...sound, clientId: '' }, publicUrl, /clientId/],
    [{ ...sound, scopes: ['email'] }, publicUrl, /openid/],
    [{ ...sound, issuer: 'http://login.example.net' }, publicUrl, /issuer/],
    [{ ...sound, issuer: 'http://127.0.0.1.evil.example' }, publicUrl, /issuer/],
    [{ ...sound, issuer: 'https://' }, publicUrl, /issuer/],
  ]
  for (const [oidc, url, reason, passwords] of wrong)
    assert.throws(() => requireSoundSignOn(given(oidc, passwords), url), { code: 'BAD_CONFIG', message: reason })
})
