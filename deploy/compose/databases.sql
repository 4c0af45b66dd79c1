-- Run by the postgres image on an empty volume. A database per gateway, so that a consent given in one profile is not one in the other.
CREATE DATABASE profile_1;
CREATE DATABASE profile_embedded;
CREATE DATABASE profile_fineract;
