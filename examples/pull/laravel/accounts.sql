-- Social links are user names: add the networks that your authors use.
-- Laravel writes local time into a TIMESTAMP of the server's zone; CONVERT_TZ restores it. If the connection in
-- config/database.php sets `timezone`, replace @@global.time_zone with its value. Every sync reads rows with a NULL or zero date.
SELECT
  username,
  email,
  firstname AS `name.firstname`,
  lastname AS `name.lastname`,
  CONCAT_WS(' ', firstname, lastname) AS `name.full_name`,
  ROUND(balance, 2) AS balance,
  'USD' AS currency,
  COALESCE(profile_heading, '') AS `profile.heading`,
  COALESCE(profile_description, '') AS `profile.description`,
  COALESCE(profile_contact_email, email) AS `profile.contact.email`,
  CONCAT('https://facebook.com/', NULLIF(JSON_VALUE(profile_social_links, '$.facebook'), '')) AS `profile.social_links.facebook`,
  CONCAT('https://x.com/', NULLIF(JSON_VALUE(profile_social_links, '$.x'), '')) AS `profile.social_links.x`,
  CONCAT('https://linkedin.com/in/', NULLIF(JSON_VALUE(profile_social_links, '$.linkedin'), '')) AS `profile.social_links.linkedin`,
  COALESCE(NULLIF(avatar, ''), '/images/author.png') AS `profile.media.avatar`,
  COALESCE(NULLIF(profile_cover, ''), '/images/cover.png') AS `profile.media.cover`,
  api_key,
  status = 0 AS suspended,
  CONVERT_TZ(created_at, @@session.time_zone, @@global.time_zone) AS registered_at
FROM users
WHERE is_author = 1 AND username IS NOT NULL
  AND COALESCE(CONVERT_TZ(updated_at, @@session.time_zone, @@global.time_zone) >= :since, TRUE)
