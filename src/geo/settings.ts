// What an operator can set about databases of countries and networks.
import { Type } from 'typebox'

export const geoSettings = Type.Object(
  {
    databases: Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), {
      default: [],
      maxItems: 8,
      description:
        'Files in the form of MaxMind (.mmdb) that say the country or the autonomous system of an address: GeoLite2, DB-IP, IPinfo and their like. Where several say something, the first counts. A file that is replaced is read again within a minute.',
    }),
  },
  { additionalProperties: false, description: 'Where the sources of attacks are. Nothing is asked of other hosts.' },
)
