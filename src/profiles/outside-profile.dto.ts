import 'reflect-metadata';
import { Allow, IsArray, IsObject, Matches } from 'class-validator';
import type { Profile } from './profile.js';

/** The form of a profile in a bank's JSON file. {@link Profile} describes its members; `profileFaults` checks their content. */
export class OutsideProfile implements Profile {
  /** Shown to operators in the log and in messages, and to TPPs in the published facts. */
  @Matches(/^[\w.-]{1,64}$/, { message: 'name must be 1 to 64 letters, digits, dots, dashes and underscores' })
  name!: string;
  @IsObject() endpoints!: Profile['endpoints'];
  @IsArray() refusedPermissions!: Profile['refusedPermissions'];
  @IsObject() accountSubTypes!: Profile['accountSubTypes'];
  @Allow() amounts!: Profile['amounts'];
  @Allow() pendingFields!: Profile['pendingFields'];
}
