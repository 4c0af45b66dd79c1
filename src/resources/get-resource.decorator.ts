import { Get } from '@nestjs/common';
import { Type, type TSchema } from 'typebox';
import type { ApiVersion } from '../endpoint/api-version.js';
import type { EndpointForm } from '../endpoint/endpoint-form.js';
import type { EndpointRule, QueryReader } from '../endpoint/endpoint-rule.js';
import { envelopeSchema } from '../endpoint/envelope.js';
import { MountAt, type MountedRoute } from '../endpoint/mount-at.decorator.js';
import { AccountIdSchema } from '../open-banking/schemas.js';
import { versions } from '../versions/versions.js';

/** Declares `GET` of the endpoint in every version that serves it. */
export function GetResource(rule: EndpointRule): MethodDecorator {
  return MountAt(
    Get,
    versions.flatMap((version) =>
      version.forms.filter((form) => form.rule === rule).map((form) => resourceRoute(version, form)),
    ),
  );
}

function resourceRoute(version: ApiVersion, form: EndpointForm): MountedRoute {
  const { query, summary } = form.rule;
  const path = `${version.basePath}${form.path}`;
  return {
    path,
    declaration: { kind: 'resource', name: form.rule.name, version, form, path },
    schema: {
      summary,
      tags: ['Account information'],
      security: [{ consentToken: ['accounts'] }],
      ...(path.includes(':AccountId') && {
        params: Type.Object({ AccountId: { ...AccountIdSchema, description: 'From GET /accounts.' } }),
      }),
      ...(query && { querystring: querySchema(query) }),
      response: { 200: envelopeSchema(version, form) },
    },
  };
}

function querySchema(query: QueryReader): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries(query.parameters).map(([name, description]) => [
        name,
        Type.Optional(Type.String({ description })),
      ]),
    ),
  );
}
